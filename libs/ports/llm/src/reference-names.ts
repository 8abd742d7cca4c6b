/** The rule-based policies that replace models. They need no key and are not language models. */
export const referenceNames = [
  "reference/noop",
  "reference/random",
  "reference/restart",
  "reference/runbook",
] as const;
export type ReferenceName = (typeof referenceNames)[number];

export const isReferenceName = (name: string): name is ReferenceName =>
  (referenceNames as readonly string[]).includes(name);
