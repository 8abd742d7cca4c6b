import { defineProbeTool, z } from "@microremed/catalogue";

/** Longest command that an executor takes, characters. */
const maxCommandLength = 16_384;

export default defineProbeTool({
  name: "probe_system",
  description: "Run one read-only shell command (kubectl and filters on its output) and get what it prints.",
  arguments: z.object({
    command: z
      .string()
      .trim()
      .min(1)
      .max(maxCommandLength)
      .describe("The command, e.g. kubectl get pods -n shop"),
  }),
  example: { command: "kubectl get pods" },
  probe: ({ command }) => ({ kind: "command", command }),
});
