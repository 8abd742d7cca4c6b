/** The reference models: rules, and a small trained network (`learned`). They need no key and are not language models. */
export const referenceNames = [
  "reference/expert",
  "reference/learned",
  "reference/noop",
  "reference/random",
  "reference/restart",
  "reference/runbook",
] as const;

/** The name of a reference model, e.g. `reference/runbook`. */
export type ReferenceName = (typeof referenceNames)[number];

/** Whether a model is one of the reference models. */
export const isReferenceName = (name: string): name is ReferenceName =>
  (referenceNames as readonly string[]).includes(name);
