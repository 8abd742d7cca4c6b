/** The rule-based policies that replace models. They need no key and are not language models. */
export const referenceNames = [
  "reference/expert",
  "reference/noop",
  "reference/random",
  "reference/restart",
  "reference/runbook",
] as const;

/** The name of a rule-based policy, e.g. `reference/runbook`. */
export type ReferenceName = (typeof referenceNames)[number];

/** Whether a model is one of the rule-based policies. */
export const isReferenceName = (name: string): name is ReferenceName =>
  (referenceNames as readonly string[]).includes(name);
