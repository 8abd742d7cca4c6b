import { noFailure } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import type { Environment } from "@microremed/environments";
import { faults, findFault, planCases } from "@microremed/faults";
import { shellPlaybook } from "@microremed/reference-models/playbook";
import type { Patient, Remedy } from "./remedy.ts";
import { repairs } from "./repairs.ts";
import { shortcuts } from "./shortcuts.ts";

/** One episode of the audit. */
export interface AuditRun {
  readonly failure: string;
  readonly seed: number;
  /** What the seed draws. */
  readonly target: string;
  readonly remedy: Remedy;
  readonly playbook: string;
}

/** Failures that an audit is about when none are named: all but the controls. */
export const auditable: readonly string[] = Object.keys(faults).filter((name) => name !== noFailure);

/**
 * `runs` runs of each failure, shortcuts and repairs in turn, every second shortcut being to do nothing; targets are
 * drawn as an experiment with the run's seed draws them. The seed decides everything.
 */
export function planAudit(
  environment: Environment,
  failures: readonly string[],
  runs: number,
  seed: number,
): AuditRun[] {
  const perFailure = failures.map((failure) =>
    Array.from({ length: runs }, (_, number) => planRun(environment, failure, seed * runs + number, number)),
  );
  // Failure by failure in turn: what takes long does not gather at the end.
  return Array.from({ length: runs }, (_, number) => perFailure.flatMap((some) => some[number] ?? [])).flat();
}

function planRun(environment: Environment, failure: string, seed: number, number: number): AuditRun {
  const fault = findFault(failure);
  const target = planCases({ failures: [failure], seed }, environment)[0]?.target ?? "";
  const workload = environment.workloads[target];
  if (!workload) throw terminal("internal", `${environment.name} has no workload ${target}`);
  const patient: Patient = { environment, fault, target, workload };
  const remedy = choose(patient, number);
  const script = [...remedy.script(patient)];
  return { failure, seed, target, remedy, playbook: shellPlaybook(remedy.name, script) };
}

function choose(patient: Patient, number: number): Remedy {
  const turn = Math.floor(number / 2);
  const fitting = (some: readonly Remedy[]): Remedy[] => some.filter((one) => one.applies(patient));
  const [noop, ...others] = fitting(shortcuts);
  const candidates = number % 2 === 1 ? fitting(repairs) : turn % 2 === 0 || !noop ? [noop] : others;
  const picked = candidates[Math.floor(number % 2 === 1 ? turn : turn / 2) % candidates.length];
  if (!picked) throw terminal("internal", `the audit has no remedy for ${patient.fault.name}`);
  return picked;
}
