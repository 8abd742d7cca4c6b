import { type Rng, shuffle, terminal } from "@microremed/core";
import { type Incident, type Part, parts } from "./dataset.types.ts";

/** By what no two parts of a data set have anything in common. */
export type Disjoint = "mechanism" | "target" | "environment";

/** The incidents of each part, and by what the parts differ. */
export interface Split {
  readonly disjoint: readonly Disjoint[];
  readonly incidents: Readonly<Record<Part, readonly Incident[]>>;
}

/** Draws of which the best is taken. */
const tries = 200;
/** Shares of mechanisms and targets that go to each part. */
const shares: Readonly<Record<Part, number>> = { train: 0.6, validation: 0.2, test: 0.2 };

const keyOf: Readonly<Record<Disjoint, (incident: Incident) => string>> = {
  mechanism: ({ mechanism }) => mechanism,
  target: ({ environment, service }) => `${environment}/${service}`,
  environment: ({ environment }) => environment,
};

/** By mechanism and target; where the suite has too few for both, by target alone, else by mechanism alone. */
const usualWays: readonly (readonly Disjoint[])[] = [["mechanism", "target"], ["target"], ["mechanism"]];

/**
 * Splits incidents so that nothing of one part is in another, by the first of the ways that leaves no part empty; incidents that fit
 * in no part are left out. Throws `invalid-request` where none of the ways is possible.
 */
export function splitIncidents(pool: readonly Incident[], rng: Rng, ways = usualWays): Split {
  for (const disjoint of ways) {
    const found = bestOf(pool, disjoint, rng.fork(disjoint.join("+")));
    if (found) return { disjoint, incidents: found };
  }
  throw terminal(
    "invalid-request",
    "train, validation and test need three targets or three mechanisms, and the suite has fewer in these environments",
  );
}

type Parted = Record<Part, Incident[]>;

/** The draw whose smallest part is the largest. Undefined: each leaves a part empty. */
function bestOf(pool: readonly Incident[], disjoint: readonly Disjoint[], rng: Rng): Parted | undefined {
  let best: Parted | undefined;
  for (let number = 0; number < tries; number++) {
    const drawn = drawParts(pool, disjoint, rng);
    if (drawn && (!best || worthOf(drawn) > worthOf(best))) best = drawn;
  }
  return best;
}

function worthOf(parted: Parted): number {
  const sizes = parts.map((part) => parted[part].length);
  return Math.min(...sizes) * 1_000_000 + sizes.reduce((sum, size) => sum + size, 0);
}

function drawParts(pool: readonly Incident[], disjoint: readonly Disjoint[], rng: Rng): Parted | undefined {
  const places = disjoint.map((by) => partsOfKeys([...new Set(pool.map(keyOf[by]))], rng));
  const parted: Parted = { train: [], validation: [], test: [] };
  for (const incident of pool) {
    const [part, ...others] = disjoint.map((by, index) => places[index]?.get(keyOf[by](incident)));
    if (part && others.every((other) => other === part)) parted[part].push(incident);
  }
  return parts.every((part) => parted[part].length > 0) ? parted : undefined;
}

function partsOfKeys(keys: string[], rng: Rng): Map<string, Part> {
  const shuffled = shuffle(keys, rng);
  const few = parts.slice(1).map((part) => Math.max(1, Math.round(shares[part] * keys.length)));
  const [validation = 1, test = 1] = few;
  return new Map(
    shuffled.map((key, place) => [
      key,
      place < validation ? "validation" : place < validation + test ? "test" : "train",
    ]),
  );
}
