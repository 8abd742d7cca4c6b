import type { KnownAnswer } from "@microremed/catalogue";

/** What a coin, a constant and the truth score. */
export const knownAnswers: readonly KnownAnswer[] = [
  { name: "oracle", answer: ({ truths }) => ({ anomaly: truths.length > 0 }), chance: () => 1 },
  {
    name: "always-no",
    answer: () => ({ anomaly: false }),
    chance: ({ truths }) => Number(truths.length === 0),
  },
  {
    name: "always-yes",
    answer: () => ({ anomaly: true }),
    chance: ({ truths }) => Number(truths.length > 0),
  },
  { name: "random", answer: (_, rng) => ({ anomaly: rng.int(2) === 1 }), chance: () => 0.5 },
  { name: "empty", answer: () => ({}), chance: () => 0 },
];
