import { answerLines, defineTool, z } from "@microremed/catalogue";

const maxResult = 6_000;

export default defineTool({
  name: "get_events",
  kind: "observe",
  rights: "read",
  maxResult,
  description: "Get the namespace's events, the latest last.",
  arguments: z.object({
    of: z
      .string()
      .regex(/^(?:[a-z]{1,40}\/)?[a-z0-9][a-z0-9.-]{0,251}$/)
      .optional()
      .describe("Those of one object, e.g. pod/cart-0; default: all"),
    warnings: z.boolean().optional().describe("Only warnings"),
    limit: z.int().min(1).max(200).optional().describe("How many, the latest ones; default: 40"),
  }),
  example: {},
  run: async ({ of, warnings, limit = 40 }, { ask }) => {
    const reply = await ask({
      kind: "events",
      ...(of !== undefined && { of }),
      ...(warnings && { warnings: true }),
    });
    if (reply.status !== "ok") return reply;
    const [head = "", ...rows] = reply.output.trimEnd().split("\n");
    const lines = rows.slice(-limit);
    const narrow = "name an object in `of`, ask for `warnings` alone, or raise `limit`";
    const shape = { head, lines, of: rows.length, max: maxResult, narrow, keep: "last" } as const;
    return { ...reply, output: answerLines(shape) };
  },
});
