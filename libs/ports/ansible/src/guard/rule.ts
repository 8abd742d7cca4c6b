import type { PlaybookPolicy } from "./policy.ts";
import type { Step } from "./step.ts";

/** What a playbook is checked against. */
export interface GuardContext {
  readonly policy: PlaybookPolicy;
  /** Of the arena. */
  readonly namespace: string;
}

/** Says what is wrong with a step, in words that go on after its place; undefined when nothing is. */
export type Rule = (step: Step, context: GuardContext) => string | undefined | Promise<string | undefined>;
