import { targetText } from "@microremed/catalogue";
import { defaultTask } from "@microremed/contracts";
import { createRng, oneOf, type Rng, terminal } from "@microremed/core";
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
  const { suite, environments, seed, acting, tasks, controls } = recipe;
  const faultOf = catalogue.faults.get;
  // One that consists of others is none of its own.
  const askable = catalogue.tasks.all().flatMap(({ name, parts, watch }) => (parts || watch ? [] : [name]));
  const unknown = tasks.filter((task) => !askable.includes(task));
  if (tasks.length === 0 || unknown.length > 0)
    throw terminal(
      "invalid-request",
      `experts are asked for ${oneOf(askable)}; no expert does ${unknown.map((one) => JSON.stringify(one)).join(", ") || "nothing"}`,
    );
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
      const named = own.pick(faults);
      const drawn = own.pick(incidents[part].filter((one) => one.fault === named));
      const strength = drawStrength(drawn, own, catalogue);
      const seedOf = own.int(2 ** 31 - 1);
      const report = own.pick(["oracle", "symptoms", "none"]);
      const concealment = own.pick(["none", "neutral"]);
      const how = acting === "both" ? own.pick(["commands", "playbook"] as const) : acting;
      const task = own.pick(tasks);
      const isControl = own.int(100) < controls;
      const { environment, parameters } = drawn;
      const incident = isControl ? controlIn(drawn, own, catalogue) : drawn;
      const { fault, target, mechanism } = incident;
      const others = isControl ? faults : faults.filter((one) => one !== fault);
      return {
        ...{ index, part, incident: { environment, fault, target, mechanism } },
        others: others.filter((one) => !faultOf(one).control),
        request: CaseRequest.parse({
          ...{ fault, target, environment, max_probes: maxProbes, seed: seedOf, concealment },
          ...(!isControl && strength !== undefined && { strength }),
          ...(!isControl && parameters && { parameters }),
          // A report of the oracle would say that nothing is wrong.
          report: isControl && report === "oracle" ? "none" : report,
          ...(task !== defaultTask && { task }),
          ...actingOf(isControl || task !== defaultTask ? "commands" : how),
        }),
      };
    },
  };
}

/** In the place of an incident: nothing is wrong in its system. */
function controlIn(
  { environment }: Incident,
  rng: Rng,
  { faults, environments }: Catalogue,
): Pick<Incident, "fault" | "target" | "mechanism"> {
  const control = faults.all().find((one) => one.control);
  if (!control) throw terminal("invalid-request", "the catalogue has no control");
  const target = rng.pick(control.targets(environments.get(environment)).map(targetText));
  return { fault: control.name, target, mechanism: "none" };
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
  { fault, environment, target, parameters }: Incident,
  rng: Rng,
  { faults, environments }: Catalogue,
): string | undefined {
  // A problem of the suite has values of its own.
  if (parameters) return undefined;
  const system = environments.get(environment);
  const possible = (faults.get(fault).strengths ?? []).filter(
    ({ applies }) => applies?.({ environment: system, target }) ?? true,
  );
  // One more than there are: the fault's own values.
  return possible[rng.int(possible.length + 1)]?.name;
}
