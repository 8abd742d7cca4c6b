import { Concealment, ProblemLimits, ReportKind, TaskName, Watch } from "@microremed/contracts";
import { z } from "zod";

/** A number of seconds, or two between which it is drawn. */
const seconds = (least: number, most: number) => {
  const one = z.int().min(least).max(most);
  return z.union([one, z.tuple([one, one]).refine(([from, to]) => from <= to, "the lower one first")]);
};

/** A fault that comes and goes: how long it acts and rests in turn, drawn from the seed between the bounds. */
export const FlapFormat = z.strictObject({
  onSeconds: seconds(30, 300).describe("cluster time for which it acts; [least, most]: drawn from the seed"),
  offSeconds: seconds(20, 300).describe(
    "cluster time for which it rests; [least, most]: drawn from the seed",
  ),
});

/** What agents learn without asking. */
export const Information = z.strictObject({
  report: ReportKind.default("none").describe(
    "what the diagnosis report of a repair says: the failed service and category, the symptoms, or nothing; reports of questions say nothing",
  ),
  concealment: Concealment.default("neutral").describe(
    "neutral: no agent sees the object that causes the fault; none: agents that may act do",
  ),
});
export type Information = z.infer<typeof Information>;

/** What a part of a suite keeps agents from having learned: how things fail, or the system. */
export const HeldOut = z.enum(["mechanism", "environment"]);
export type HeldOut = z.infer<typeof HeldOut>;

/** What several problems of a suite have alike, drawn ones too. */
export const shared = {
  tasks: z
    .array(TaskName)
    .min(1)
    .max(20)
    .optional()
    .describe("what agents are asked, each in an episode of its own"),
  information: Information.optional().describe("default: no report, and no sight of what causes the fault"),
  limits: ProblemLimits.optional().describe("default: the request's"),
  watch: Watch.optional().describe("of the task monitoring: its windows; default: the request's"),
  heldOut: z
    .array(HeldOut)
    .max(2)
    .optional()
    .describe("by what it is kept from training; default: it is not"),
};
