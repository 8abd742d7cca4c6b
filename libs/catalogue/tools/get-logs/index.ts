import { defineProbeTool, z } from "@microremed/catalogue";

export default defineProbeTool({
  name: "get_logs",
  description: "Get the last lines that a pod printed.",
  arguments: z.object({
    of: z.string().describe("A pod, or a workload as deployment/<name>"),
    container: z.string().optional().describe("Default: the first"),
    previous: z.boolean().optional().describe("Of the container before its last restart"),
    lines: z.int().min(1).max(1000).optional().describe("Default: 100"),
  }),
  example: { of: "deployment/cart", lines: 50 },
  probe: (args) => ({ kind: "logs", ...args }),
});
