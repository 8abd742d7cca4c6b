import { createRng, type Rng, terminal } from "@microremed/core";
import { type Disjoint, type Incident, incidentPool, type Part, splitIncidents } from "@microremed/dataset";
import type { Catalogue } from "@microremed/registry";
import { CaseRequest } from "../episode/case-request.ts";
import type { TraceCase, TraceRecipe } from "./trace.types.ts";

/** Of ten cases in a row eight are for training. */
const pattern: readonly Part[] = [
  ...(["train", "train", "train", "validation", "train"] as const),
  ...(["train", "train", "test", "train", "train"] as const),
];

/** Observing calls that an expert may make. */
const maxProbes = 100;

/** The cases of a set, any number, and by what its parts have nothing in common. */
export interface TracePlan {
  readonly disjoint: readonly Disjoint[];
  readonly caseAt: (index: number) => TraceCase;
}

/**
 * Draws cases from what the suite has in the systems: the fault first, so that each comes as often as any other, then the target,
 * the strength, what the report says, and how the system is changed. A fault without evidence or runbook has no expert. Throws
 * `invalid-request` where no fault is left, or too few to be parted.
 */
export function planTraces(recipe: TraceRecipe, catalogue: Catalogue): TracePlan {
  const { suite, environments, seed, acting } = recipe;
  const isKnown = ({ fault }: Incident): boolean => {
    const { evidence, runbook } = catalogue.faults.get(fault);
    return evidence !== undefined && runbook !== undefined;
  };
  const pool = incidentPool(suite, environments, catalogue).filter(isKnown);
  if (pool.length === 0)
    throw terminal(
      "invalid-request",
      `no fault of ${suite} in ${environments.join(", ")} has both evidence and a runbook, so that there is no expert for any; name another suite`,
    );
  const rng = createRng(seed, "traces");
  const { disjoint, incidents } = splitIncidents(pool, rng.fork("parts"), ways);
  return {
    disjoint,
    caseAt(index) {
      const part = pattern[index % pattern.length] ?? "train";
      const own = rng.fork(`case ${index}`);
      const faults = faultsOf(incidents[part]);
      const fault = own.pick(faults);
      const incident = own.pick(incidents[part].filter((one) => one.fault === fault));
      const { environment, target, mechanism } = incident;
      const strength = drawStrength(incident, own, catalogue);
      return {
        ...{ index, part, incident: { environment, fault, target, mechanism } },
        others: faults.filter((one) => one !== fault),
        request: CaseRequest.parse({
          ...{ fault, target, environment, max_probes: maxProbes },
          ...(strength !== undefined && { strength }),
          seed: own.int(2 ** 31 - 1),
          report: own.pick(["oracle", "symptoms", "none"]),
          concealment: own.pick(["none", "neutral"]),
          ...actingOf(acting === "both" ? own.pick(["commands", "playbook"]) : acting),
        }),
      };
    },
  };
}

/** From the strictest on: the first for which the systems suffice. */
const ways: readonly (readonly Disjoint[])[] = [
  ["mechanism", "environment"],
  ["mechanism", "target"],
  ["mechanism"],
];

const faultsOf = (incidents: readonly Incident[]): string[] => [
  ...new Set(incidents.map(({ fault }) => fault)),
];

/** One playbook may be a wrong one. */
const actingOf = (acting: CaseRequest["acting"]) => ({
  acting,
  max_attempts: acting === "playbook" ? 2 : 1,
});

function drawStrength(
  { fault, environment, target }: Incident,
  rng: Rng,
  { faults, environments }: Catalogue,
): string | undefined {
  const system = environments.get(environment);
  const possible = (faults.get(fault).strengths ?? []).filter(
    ({ applies }) => applies?.({ environment: system, target }) ?? true,
  );
  // One more than there are: the fault's own values.
  return possible[rng.int(possible.length + 1)]?.name;
}
