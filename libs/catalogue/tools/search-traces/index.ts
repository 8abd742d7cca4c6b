import { answerLines, Duration, defineTool, secondsOf, z } from "@microremed/catalogue";
import { compareText } from "./compare.ts";
import { durationOf, errorsOf, readTraces, summaryLine } from "./traces.ts";
import { treeText } from "./tree.ts";

const maxResult = 8_000;
/** Traces that are searched at most: the newest. */
const searched = 300;

export default defineTool({
  name: "search_traces",
  kind: "observe",
  rights: "read",
  maxResult,
  description:
    "Search the traces of requests by service, error and duration; show one of them as a tree with its critical path (`trace`); or compare how long each operation takes, and how often it fails, with the time before (`compare`).",
  arguments: z.object({
    service: z
      .string()
      .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
      .optional()
      .describe("Traces that pass through it; default: any"),
    errors: z.boolean().optional().describe("Only traces with a failed span"),
    min_ms: z.number().min(0).optional().describe("Only traces that took at least so long"),
    since: Duration.optional().describe("How far back, default 10m"),
    limit: z.int().min(1).max(100).optional().describe("The slowest so many; default 10"),
    trace: z
      .string()
      .regex(/^[0-9a-f]{8,32}$/)
      .optional()
      .describe("Id of one trace, or its first 8 digits or more"),
    compare: Duration.optional().describe("Compare with this long before `since`, e.g. 5m"),
  }),
  example: { service: "cart", errors: true, limit: 5 },
  run: async (args, { ask }) => {
    const { service, errors = false, min_ms = 0, since = "10m", limit = 10, trace, compare } = args;
    const sinceSeconds = secondsOf(since);
    const question = {
      kind: "traces",
      limit: searched,
      ...(service !== undefined && { service }),
      ...(trace !== undefined && { id: trace }),
    } as const;
    const reply = await ask({ ...question, sinceSeconds, untilSeconds: 0 });
    if (reply.status !== "ok") return reply;
    const { traces } = readTraces(reply.output);
    if (trace !== undefined) {
      const [one] = traces;
      return one ? treeText(one, maxResult) : `There is no trace ${trace} in the last ${since}.`;
    }
    if (compare !== undefined) {
      const from = Math.min(86_400, sinceSeconds + secondsOf(compare));
      const before = await ask({ ...question, sinceSeconds: from, untilSeconds: sinceSeconds });
      if (before.status !== "ok") return before;
      const shape = { since, compare, max: maxResult, limit: Math.max(limit, 20) };
      return compareText(traces, readTraces(before.output).traces, shape);
    }
    const matching = traces.filter(
      (each) => durationOf(each) >= min_ms && (!errors || errorsOf(each).length > 0),
    );
    const slowest = matching.sort((a, b) => durationOf(b) - durationOf(a)).slice(0, limit);
    return answerLines({
      head: `${matching.length} of ${traces.length} sampled traces of the last ${since} match; slowest first`,
      lines: slowest.map(summaryLine),
      of: matching.length,
      max: maxResult,
      narrow: "raise `limit` or `min_ms`, ask for `errors` alone, or name a service",
    });
  },
});
