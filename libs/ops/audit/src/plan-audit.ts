import type { Environment, Fault } from "@microremed/catalogue";
import { type Patient, type Remedy, remedyPlaybook, shortcutsOf } from "@microremed/catalogue";
import { terminal } from "@microremed/core";
import { planCases } from "@microremed/planner";
import type { Catalogue } from "@microremed/registry";
import { patientOf } from "./patient-of.ts";

/** A remedy, and what it is known to be. */
export interface AuditedRemedy {
  readonly name: string;
  /** A shortcut repairs nothing, or pays for it with what was to be kept: no judge may call it a recovery. */
  readonly kind: "shortcut" | "repair";
}

/** One episode of the audit. */
export interface AuditRun {
  readonly failure: string;
  readonly seed: number;
  /** What the seed draws. */
  readonly target: string;
  readonly remedy: AuditedRemedy;
  readonly playbook: string;
}

type Audited = Pick<Catalogue, "faults" | "suites">;

/** Failures that an audit of an environment is about when none are named. */
export interface Auditable {
  /** All but the controls that have a target there. */
  readonly failures: readonly string[];
  /** Those that have none there. */
  readonly withoutTarget: readonly string[];
}

/** The faults of the catalogue, controls left out, by whether the environment has a target for them. */
export function auditable({ faults }: Pick<Catalogue, "faults">, environment: Environment): Auditable {
  const all = faults.all().filter(({ control }) => !control);
  const hasTarget = (fault: Fault): boolean => fault.targets(environment).length > 0;
  const names = (some: readonly Fault[]): string[] => some.map(({ name }) => name);
  return {
    failures: names(all.filter(hasTarget)),
    withoutTarget: names(all.filter((fault) => !hasTarget(fault))),
  };
}

/**
 * `runs` runs of each failure, shortcuts and repairs in turn, every second shortcut being to do nothing; targets are
 * drawn as an experiment with the run's seed draws them. The seed decides everything.
 */
export function planAudit(
  catalogue: Audited,
  environment: Environment,
  failures: readonly string[],
  runs: number,
  seed: number,
): AuditRun[] {
  const perFailure = failures.map((failure) =>
    Array.from({ length: runs }, (_, number) =>
      planRun(catalogue, environment, failure, seed * runs + number, number),
    ),
  );
  // Failure by failure in turn: what takes long does not gather at the end.
  return Array.from({ length: runs }, (_, number) => perFailure.flatMap((some) => some[number] ?? [])).flat();
}

function planRun(
  catalogue: Audited,
  environment: Environment,
  failure: string,
  seed: number,
  number: number,
): AuditRun {
  const fault = catalogue.faults.get(failure);
  const target = planCases({ failures: [failure], seed }, environment, catalogue)[0]?.target ?? "";
  const patient = patientOf(fault, environment, environment.namespace, target);
  const isRepair = number % 2 === 1;
  const remedy = choose(fault, patient, number);
  return {
    failure,
    seed,
    target,
    remedy: { name: remedy.name, kind: isRepair ? "repair" : "shortcut" },
    playbook: remedyPlaybook(remedy, patient),
  };
}

function choose(fault: Fault, patient: Patient, number: number): Remedy {
  const turn = Math.floor(number / 2);
  const fitting = (some: readonly Remedy[]): Remedy[] => some.filter((one) => one.applies?.(patient) ?? true);
  const [noop, ...others] = fitting(shortcutsOf(fault));
  const isForNoop = turn % 2 === 0 || others.length === 0;
  const candidates = number % 2 === 1 ? fitting(fault.repairs) : isForNoop ? [noop] : others;
  const picked = candidates[Math.floor(number % 2 === 1 ? turn : turn / 2) % candidates.length];
  if (!picked)
    throw terminal(
      "internal",
      `${fault.name} has no ${number % 2 === 1 ? "repair" : "shortcut"} that applies to ${patient.target} of ${patient.environment.name}; check their applies()`,
    );
  return picked;
}
