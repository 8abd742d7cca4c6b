/** Cases in which a real cluster and the embedded one differ, as `area: name`, and why that is no defect of either. */
export const explained: ReadonlyMap<string, string> = new Map([
  [
    "label, annotate: an empty list counts as a change of a NetworkPolicy",
    "The API server raises the generation, and nothing else changes. The embedded one takes an empty list for none, as servers do in every other kind.",
  ],
]);

/** Trials that end differently on a real cluster and on an embedded one, as `fault/target/remedy`, and why. */
export const explainedOutcomes: ReadonlyMap<string, string> = new Map();

/**
 * Names of explanations that explain nothing: what they name no longer differs, or is not there. `differs` has all that there
 * is, undefined for what was not compared this time.
 */
export const outdatedExplanations = (
  known: ReadonlyMap<string, string>,
  differs: ReadonlyMap<string, boolean | undefined>,
): readonly string[] => [...known.keys()].filter((name) => !differs.has(name) || differs.get(name) === false);
