import { answerLines, clockTime, counted, Duration, defineTool, secondsOf, z } from "@microremed/catalogue";

const maxResult = 6_000;

const Answer = z.object({
  from: z.number(),
  changes: z.array(z.object({ at: z.number(), object: z.string(), kind: z.string(), what: z.string() })),
  left: z.number(),
});

export default defineTool({
  name: "diff_since",
  kind: "observe",
  rights: "read",
  maxResult,
  description:
    "Get what was changed lately in the namespace, as a change log has it: rollouts, configuration, scale, new objects; the latest first.",
  arguments: z.object({
    since: Duration.optional().describe("How far back, default 30m"),
    of: z.string().max(300).optional().describe("Changes of one object only, e.g. deployment/cart"),
  }),
  example: { since: "1h" },
  run: async ({ since = "30m", of }, { ask }) => {
    const reply = await ask({ kind: "changes", sinceSeconds: secondsOf(since) });
    if (reply.status !== "ok") return reply;
    const { changes, from, left } = Answer.parse(JSON.parse(reply.output));
    const wanted = changes.filter(({ object }) => of === undefined || object === of);
    const where = of === undefined ? "" : ` of ${of}`;
    if (wanted.length === 0) return `No change${where} since ${clockTime(from)}.`;
    return answerLines({
      head: `${counted(wanted.length, "change")}${where} since ${clockTime(from)}, the latest first`,
      lines: wanted.map(({ at, object, kind, what }) => `${clockTime(at)} ${object} (${kind}): ${what}`),
      of: wanted.length + (of === undefined ? left : 0),
      max: maxResult,
      narrow: "take a shorter `since`, or name an object in `of`",
    });
  },
});
