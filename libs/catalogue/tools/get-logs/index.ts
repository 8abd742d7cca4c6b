import { answerLines, Duration, defineProbeTool, secondsOf, z } from "@microremed/catalogue";

const maxResult = 4_000;

export default defineProbeTool({
  maxResult,
  name: "get_logs",
  description: "Get the last lines that a pod printed, all or those that match a pattern.",
  arguments: z.object({
    of: z.string().describe("A pod, or a workload as deployment/<name>"),
    container: z.string().optional().describe("Default: the first"),
    previous: z.boolean().optional().describe("Of the container before its last restart"),
    lines: z.int().min(1).max(1000).optional().describe("Default: 100"),
    since: Duration.optional().describe("Not older than this, e.g. 10m"),
    match: z
      .string()
      .optional()
      .describe("Only lines that match: an extended regular expression, e.g. error|refused"),
  }),
  example: { of: "deployment/cart", lines: 50 },
  probe: ({ since, ...args }) => ({
    kind: "logs",
    ...args,
    ...(since !== undefined && { sinceSeconds: secondsOf(since) }),
  }),
  // Of too many lines the latest are the ones to keep.
  render: (output) => {
    const lines = output.trimEnd().split("\n");
    const narrow = "ask for fewer `lines`, or for those that `match`";
    return answerLines({ head: "", lines, max: maxResult, narrow, keep: "last" }).trimStart();
  },
});
