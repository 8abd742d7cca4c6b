import { z } from "zod";

/** What a method gets to know after an attempt besides what its playbook printed. */
export const Feedback = z.enum([
  "oracle", // whether the system recovered
  "observation", // what was measured, in words and without a judgement
  "none",
]);
export type Feedback = z.infer<typeof Feedback>;

/**
 * Which of an episode's two verdicts an agent gets to know: the strict one, or that of the published rules. The
 * outcome always follows the strict one.
 */
export const VerdictName = z.enum(["strict", "microremed"]);
export type VerdictName = z.infer<typeof VerdictName>;

/** Whether the agent can find what causes the failure. */
export const Concealment = z.enum([
  "none", // chaos objects are in the arena under plain names, as in the published benchmark
  "neutral", // they lie outside of it under meaningless names, and the agent has no rights to them
]);
export type Concealment = z.infer<typeof Concealment>;

/** Whether a new pod is a repair. */
export const Persistence = z.enum([
  "once", // the failure hits the pods that are there: MicroRemed's behaviour
  "rearm", // it is put on the new ones too until the right action is taken, where the fault defines one
]);
export type Persistence = z.infer<typeof Persistence>;

/**
 * What the time for which an agent thinks counts on the cluster's clock: as long as its model calls took on the wall
 * clock, nothing, or so many seconds for each 1,000 tokens that the model answered.
 */
export const ThinkTime = z.union([z.enum(["counted", "zero"]), z.number().min(0).max(3600)]);
export type ThinkTime = z.infer<typeof ThinkTime>;

/** What an outside agent gets to know of an episode that is over. */
export const Reveal = z.enum([
  "nothing",
  "outcome", // whether it was solved
]);
export type Reveal = z.infer<typeof Reveal>;

/** How much the diagnosis report says. */
export const ReportKind = z.enum([
  "oracle", // the failed service and the failure category, as MicroRemed does
  "symptoms", // what was measured when the failure showed
  "none", // where the system is
]);
export type ReportKind = z.infer<typeof ReportKind>;
