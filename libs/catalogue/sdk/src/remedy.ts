import type { Environment, WorkloadSpec } from "./environment/format.ts";
import { selectorOf, selectorText } from "./environment/selectors.ts";
import type { FaultContext } from "./fault.ts";
import { shellPlaybook } from "./shell-playbook.ts";

/** Where a remedy is applied. */
export interface Patient extends Pick<FaultContext, "parameters"> {
  readonly environment: Environment;
  readonly namespace: string;
  /** As messages have it. */
  readonly target: string;
  /** The workload of the target, and the name of its container. */
  readonly name: string;
  readonly workload: WorkloadSpec;
  readonly container: string;
}

/** One thing that an agent might do, of which it is known whether it repairs the failure. */
export interface Remedy {
  readonly name: string;
  /** One sentence: what it does. */
  readonly doc: string;
  /** Absent: it always can be done. */
  applies?(patient: Patient): boolean;
  /** As plain commands: lines of a shell script with kubectl. */
  commands(patient: Patient): readonly string[];
  /** As an Ansible playbook; absent: one task that runs the commands. */
  playbook?(patient: Patient): string;
}

/**
 * The YAML text by which a remedy is applied: its own playbook, or one shell task that runs its commands in turn.
 */
export function remedyPlaybook(remedy: Remedy, patient: Patient): string {
  return remedy.playbook?.(patient) ?? shellPlaybook(remedy.name, remedy.commands(patient));
}

/** `kubectl -n <namespace>`, with which the commands of a remedy begin. */
export const kubectl = ({ namespace }: Pick<Patient, "namespace">): string => `kubectl -n ${namespace}`;

/** The target's workload as kubectl takes it: `deployment/cartservice`. */
export const workloadPath = ({ workload, name }: Patient): string => `${workload.kind.toLowerCase()}/${name}`;

/** The selector of the target's pods, as `kubectl -l` takes it. */
export const podSelector = ({ workload, name }: Patient): string => selectorText(selectorOf(name, workload));

/** Waits for a rollout in wall clock, for kubectl knows no other; one that takes longer goes on without it. */
export const awaitRollout = (patient: Patient): string =>
  `${kubectl(patient)} rollout status ${workloadPath(patient)} --timeout=20s || echo "still rolling out"`;

/**
 * Deletes the pods of a StatefulSet, which waits for a broken pod to become Ready before it replaces it: a rollout alone
 * repairs nothing there. Nothing for a Deployment.
 */
export const replaceStuckPods = (patient: Patient): string[] =>
  patient.workload.kind === "StatefulSet"
    ? [`${kubectl(patient)} delete pod -l ${podSelector(patient)} --wait=false`]
    : [];

/** A JSON patch of the target's workload. */
export const jsonPatch = (patient: Patient, operations: readonly object[]): string =>
  `${kubectl(patient)} patch ${workloadPath(patient)} --type=json -p '${JSON.stringify(operations)}'`;

/** JSON pointer to the target's container in its workload. */
export const containerPath = ({ workload, container }: Patient): string =>
  `/spec/template/spec/containers/${workload.containers.findIndex(({ name }) => name === container)}`;

/** The target's container as the environment has it. */
export const containerOf = ({ workload, container }: Patient) =>
  workload.containers.find(({ name }) => name === container);
