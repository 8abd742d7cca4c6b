import type { Environment, WorkloadSpec } from "@microremed/environments";
import type { Fault } from "@microremed/faults";

/** Where a remedy of the audit is applied. */
export interface Patient {
  readonly environment: Environment;
  readonly fault: Fault;
  readonly target: string;
  readonly workload: WorkloadSpec;
}

/** One thing that an agent might do, of which it is known whether it repairs the failure. */
export interface Remedy {
  readonly name: string;
  /** A shortcut repairs nothing, or pays for it with what was to be kept: no judge may call it a recovery. */
  readonly kind: "shortcut" | "repair";
  readonly doc: string;
  applies(patient: Patient): boolean;
  /** Lines of a shell script with kubectl. */
  script(patient: Patient): readonly string[];
}

export const kubectl = ({ environment }: Patient): string => `kubectl -n ${environment.namespace}`;

/** `deployment/cartservice` */
export const workloadOf = ({ workload, target }: Patient): string =>
  `${workload.kind.toLowerCase()}/${target}`;

/** The playbook's patience is wall clock; a rollout that takes longer goes on without it. */
export const awaitRollout = (patient: Patient): string =>
  `${kubectl(patient)} rollout status ${workloadOf(patient)} --timeout=20s || echo "still rolling out"`;

export const isOneOf =
  (...failures: readonly string[]) =>
  ({ fault }: Patient): boolean =>
    failures.includes(fault.name);
