import { likelyNames, terminal } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";

/** MicroRemed's sequence for one failure is the failure fifteen times. */
const casesPerFault = 15;

type Named = Pick<Catalogue, "faults" | "suites">;

/** What a plan may be called: suites that have cases, and faults. */
export function sequenceNames({ faults, suites }: Named): string[] {
  const named = suites.all().filter(({ cases }) => cases.length > 0);
  return [...named.map(({ name }) => name), ...faults.names, ...faults.names.map((name) => `${name}@1`)];
}

/**
 * Whether a request may call a plan so, without reading what else there is. A suite's name without a version is none: which one it
 * means would depend on what there is.
 */
export function isSequence(plan: string, from: Named): boolean {
  return casesOf(plan, from) !== undefined;
}

/**
 * The faults of a suite in their order; a fault's name, with or without `@1`, is that fault fifteen times. Records of before name suites
 * without a version too, which meant the first one.
 * Throws `unknown-failure` that lists what there is.
 */
export function sequenceNamed(plan: string, from: Named): readonly string[] {
  const cases = casesOf(plan, from) ?? casesOf(`${plan}@1`, from);
  if (cases) return cases;
  throw terminal("unknown-failure", unknownSequence(plan, sequenceNames(from)));
}

function casesOf(plan: string, { faults, suites }: Named): readonly string[] | undefined {
  const suite = suites.has(plan) ? suites.get(plan) : undefined;
  if (suite && suite.cases.length > 0) return suite.cases;
  const fault = plan.replace(/@1$/, "");
  return faults.has(fault) ? Array<string>(casesPerFault).fill(fault) : undefined;
}

/** What is said of a name that is none of a suite or a failure. */
export function unknownSequence(plan: string, names: readonly string[]): string {
  return `no suite or failure is called ${JSON.stringify(plan.slice(0, 200))}; ${likelyNames(plan, names)}`;
}
