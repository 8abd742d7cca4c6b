import { createRng, type Rng, shuffle, terminal } from "@microremed/core";
import {
  type Incident,
  type Part,
  type PlannedCase,
  parts,
  type Recipe,
  type TimedIncident,
} from "./dataset.types.ts";
import { type Split, splitIncidents } from "./split-parts.ts";

/** Of ten cases in a row seven are for training, one for validation, two for the test. */
const pattern: readonly Part[] = (
  "train train validation train train test train train test train" as const
).split(" ") as Part[];

/** Incidents that are tried in the place of one that has no effect. */
const mostAlternatives = 3;
/** Longest time from the first fault of a case to another one, s. */
const mostSecondsBetween = 60;
/** Draws of several faults until one fits. */
const mostDraws = 200;

/** The cases of a data set, and how they are split. */
export interface DatasetPlan extends Pick<Split, "disjoint"> {
  readonly cases: readonly PlannedCase[];
}

/**
 * The cases that a recipe asks for: those with one fault first, then healthy ones, then those
 * with several faults. In each part every fault comes as often as any other, and a larger
 * data set begins with the incidents of a smaller one.
 */
export function planDataset(
  recipe: Pick<Recipe, "seed" | "incidents" | "several" | "faultFree" | "environments">,
  pool: readonly Incident[],
): DatasetPlan {
  const rng = createRng(recipe.seed, "data set");
  const { disjoint, incidents } = splitIncidents(pool, rng.fork("parts"));
  const inTurn = Object.fromEntries(
    parts.map((part) => [part, incidentsInTurn(incidents[part], rng.fork(`incidents of ${part}`))]),
  ) as Record<Part, InTurn>;
  const faulty = numbers(recipe.incidents).map((index): PlannedCase => {
    const part = partOf(index);
    const drawn = inTurn[part](numberInPart(index));
    const alone = drawn.map((incident) => [{ ...incident, at: 0 }]);
    return { index, part, environment: drawn[0]?.environment ?? "", incidents: alone };
  });
  const healthy = numbers(recipe.faultFree).map((number): PlannedCase => {
    const environment = recipe.environments[number % recipe.environments.length] ?? "";
    const part = partOf(number);
    const workload = drawWorkload(incidents[part], environment, rng.fork(`load of healthy ${number}`));
    const index = recipe.incidents + number;
    return { index, part, environment, incidents: [], ...(workload && { workload }) };
  });
  const before = recipe.incidents + recipe.faultFree;
  const several = numbers(recipe.several).map((number): PlannedCase => {
    const wanted = partOf(number);
    const drawn = (from: Part): TimedIncident[][] =>
      drawSeveral(incidents[from], rng.fork(`several ${number} ${from}`), (draw) =>
        inTurn[from](number + draw),
      );
    const [part, found] = firstWith([wanted, ...parts], drawn);
    return { index: before + number, part, environment: found[0]?.[0]?.environment ?? "", incidents: found };
  });
  return { disjoint, cases: [...faulty, ...healthy, ...several] };
}

/** That of an incident, so that a load does not show who is healthy; undefined: the environment's own. */
function drawWorkload(
  pool: readonly Incident[],
  environment: string,
  rng: Rng,
): Incident["workload"] | undefined {
  const own = pool.filter((one) => one.environment === environment);
  return own[own.length === 0 ? 0 : rng.int(own.length)]?.workload;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const partOf = (index: number): Part => pattern[index % pattern.length] ?? "train";
/** How many cases of the same part come before. */
function numberInPart(index: number): number {
  const before = pattern.slice(0, index % pattern.length);
  const isSame = (part: Part): boolean => part === partOf(index);
  return Math.floor(index / pattern.length) * pattern.filter(isSame).length + before.filter(isSame).length;
}

type InTurn = (number: number) => Incident[];

/**
 * The incident with a number, and others to take in its place. Every fault comes once in a round, in an order drawn for
 * the round; from round to round its environments, and then its targets, come in turn.
 */
function incidentsInTurn(pool: readonly Incident[], rng: Rng): InTurn {
  const byFault = Map.groupBy(pool, ({ fault }) => fault);
  const faults = [...byFault.keys()];
  return (number) => {
    const round = Math.floor(number / faults.length);
    const fault = shuffle(faults, rng.fork(`round ${round}`))[number % faults.length] ?? "";
    const own = [...Map.groupBy(byFault.get(fault) ?? [], ({ environment }) => environment)];
    const [environment, incidents] = own[(round + faults.indexOf(fault)) % own.length] ?? ["", []];
    const targets = shuffle(incidents, rng.fork(`${fault} in ${environment}`));
    const first = Math.floor(round / own.length) % targets.length;
    return [...targets.slice(first), ...targets.slice(0, first)].slice(0, 1 + mostAlternatives);
  };
}

/** The first part that has several faults at once. Throws `invalid-request` where none has. */
function firstWith(
  wanted: readonly Part[],
  draw: (part: Part) => TimedIncident[][],
): [Part, TimedIncident[][]] {
  for (const part of wanted) {
    const found = draw(part);
    if (found.length > 0) return [part, found];
  }
  throw terminal(
    "invalid-request",
    "no part of the data set has two different faults on two services of one environment: leave out --several, or name a suite with more faults",
  );
}

/**
 * Two or three faults of one part in one environment, of different names on different services, and others to take in their
 * place; nothing where the part has no two such incidents.
 */
function drawSeveral(pool: readonly Incident[], rng: Rng, inTurn: InTurn): TimedIncident[][] {
  const count = 2 + rng.int(2);
  const found: TimedIncident[][] = [];
  for (let draw = 0; draw < mostDraws && found.length <= mostAlternatives; draw++) {
    const [first] = inTurn(draw);
    const inPlace = found[0]?.[0]?.environment ?? first?.environment;
    if (!first || first.environment !== inPlace) continue;
    const beside = shuffle(pool, rng.fork(`beside ${draw}`)).filter((one) => one.environment === inPlace);
    const together = [first, ...beside].reduce<Incident[]>(addDifferent, []);
    const taken = together.slice(0, count);
    const later = taken
      .slice(1)
      .map(() => rng.int(mostSecondsBetween + 1))
      .toSorted((a, b) => a - b);
    const timed = taken.map((one, place) => ({ ...one, at: place === 0 ? 0 : (later[place - 1] ?? 0) }));
    if (timed.length > 1) found.push(timed);
  }
  return found;
}

/** A fault occurs once in a case, and a service has one. */
function addDifferent(taken: Incident[], next: Incident): Incident[] {
  const isDifferent = taken.every(({ fault, service }) => fault !== next.fault && service !== next.service);
  return isDifferent ? [...taken, next] : taken;
}
