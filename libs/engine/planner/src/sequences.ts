import { likelyNames, terminal } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";

/** MicroRemed's sequence for one failure is the failure fifteen times. */
const casesPerFault = 15;

type Named = Pick<Catalogue, "faults" | "suites">;

/** What a plan may be called: suites that have cases, without version for the first one, and faults. */
export function sequenceNames({ faults, suites }: Named): string[] {
  const named = suites.all().filter(({ cases }) => cases.length > 0);
  const short = named.flatMap(({ name }) => (name.endsWith("@1") ? [name.slice(0, -2)] : []));
  return [
    ...short,
    ...faults.names,
    ...named.map(({ name }) => name),
    ...faults.names.map((name) => `${name}@1`),
  ];
}

/** Whether a plan may be called so, without reading what else there is. */
export function isSequence(plan: string, from: Named): boolean {
  return casesOf(plan, from) !== undefined;
}

/**
 * The faults of a suite in their order. A name without version means `@1`; a fault's name is that fault fifteen times.
 * Throws `unknown-failure` that lists what there is.
 */
export function sequenceNamed(plan: string, from: Named): readonly string[] {
  const cases = casesOf(plan, from);
  if (cases) return cases;
  throw terminal("unknown-failure", unknownSequence(plan, sequenceNames(from)));
}

function casesOf(plan: string, { faults, suites }: Named): readonly string[] | undefined {
  const full = plan.includes("@") ? plan : `${plan}@1`;
  const suite = suites.has(full) ? suites.get(full) : undefined;
  if (suite && suite.cases.length > 0) return suite.cases;
  const fault = full.endsWith("@1") ? full.slice(0, -2) : "";
  return faults.has(fault) ? Array<string>(casesPerFault).fill(fault) : undefined;
}

/** What is said of a name that is none of a suite or a failure. */
export function unknownSequence(plan: string, names: readonly string[]): string {
  return `no suite or failure is called ${JSON.stringify(plan.slice(0, 200))}; ${likelyNames(plan, names)}`;
}
