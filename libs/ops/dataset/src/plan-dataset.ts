import { createRng, type Rng } from "@microremed/core";
import type { Incident, Part, PlannedCase, Recipe } from "./dataset.types.ts";
import { type Split, shuffle, splitIncidents } from "./split-parts.ts";

/** Of ten cases in a row seven are for training, one for validation, two for the test. */
const pattern: readonly Part[] = (
  "train train validation train train test train train test train" as const
).split(" ") as Part[];

/** Incidents that are tried in the place of one that has no effect. */
const mostAlternatives = 3;

/** The cases of a data set, and how they are split. */
export interface DatasetPlan extends Pick<Split, "disjoint"> {
  readonly cases: readonly PlannedCase[];
}

/**
 * The cases that a recipe asks for: those with an incident first. Each is drawn from a stream of its own, so that a larger
 * data set begins with the incidents of a smaller one.
 */
export function planDataset(
  recipe: Pick<Recipe, "seed" | "incidents" | "faultFree" | "environments">,
  pool: readonly Incident[],
): DatasetPlan {
  const rng = createRng(recipe.seed, "data set");
  const { disjoint, incidents } = splitIncidents(pool, rng.fork("parts"));
  const faulty = numbers(recipe.incidents).map((index): PlannedCase => {
    const part = partOf(index);
    const drawn = drawIncidents(incidents[part], rng.fork(`incident ${index}`));
    return { index, part, environment: drawn[0]?.environment ?? "", incidents: drawn };
  });
  const healthy = numbers(recipe.faultFree).map((number): PlannedCase => {
    const environment = recipe.environments[number % recipe.environments.length] ?? "";
    return { index: recipe.incidents + number, part: partOf(number), environment, incidents: [] };
  });
  return { disjoint, cases: [...faulty, ...healthy] };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const partOf = (index: number): Part => pattern[index % pattern.length] ?? "train";

/** Each mechanism is as likely as any other, and so is each of its faults; then targets of the same environment. */
function drawIncidents(pool: readonly Incident[], rng: Rng): Incident[] {
  const pick = (among: readonly Incident[], of: (incident: Incident) => string): Incident[] => {
    const wanted = rng.pick([...new Set(among.map(of))]);
    return among.filter((incident) => of(incident) === wanted);
  };
  const ofMechanism = pick(pool, ({ mechanism }) => mechanism);
  const ofFault = pick(ofMechanism, ({ fault }) => fault);
  const ofEnvironment = pick(ofFault, ({ environment }) => environment);
  return shuffle(ofEnvironment, rng).slice(0, 1 + mostAlternatives);
}
