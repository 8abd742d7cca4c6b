import type { Kind } from "@microremed/cluster";
import { shellWord } from "@microremed/core";
import type { z } from "zod";
import type { Environment, WorkloadSpec } from "./environment/environment.types.ts";
import { selectorText } from "./environment/selectors.ts";
import type { FaultContext } from "./fault.ts";
import { shellPlaybook } from "./shell-playbook.ts";

/** Where a remedy is applied. */
export interface RemedyContext extends Pick<FaultContext, "parameters"> {
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
  applies?(context: RemedyContext): boolean;
  /** As plain commands: lines of a shell script with kubectl. */
  commands(context: RemedyContext): readonly string[];
  /** As an Ansible playbook; absent: one task that runs the commands. */
  playbook?(context: RemedyContext): string;
}

/**
 * The YAML text by which a remedy is applied: its own playbook, or one shell task that runs its commands in turn.
 */
export function remedyPlaybook(remedy: Remedy, context: RemedyContext): string {
  return remedy.playbook?.(context) ?? shellPlaybook(remedy.name, remedy.commands(context));
}

/** `kubectl -n <namespace>`, with which the commands of a remedy begin. */
export const kubectl = ({ namespace }: Pick<RemedyContext, "namespace">): string => `kubectl -n ${namespace}`;

/** The target's workload as kubectl takes it: `deployment/cartservice`. */
export const workloadPath = ({ workload, name }: RemedyContext): string =>
  `${workload.kind.toLowerCase()}/${name}`;

/** The selector of the target's pods, as `kubectl -l` takes it. */
export const podSelector = ({ workload }: RemedyContext): string => selectorText(workload.selector);

/** Lines that give an object to kubectl on its standard input: `kubectl create -f -`. */
export const withObject = (
  context: Pick<RemedyContext, "namespace">,
  verb: "create" | "apply",
  object: object,
): string[] => [`${kubectl(context)} ${verb} -f - <<'EOF'`, JSON.stringify(object), "EOF"];

/** Waits for a rollout in wall clock, for kubectl knows no other; one that takes longer goes on without it. */
export const awaitRollout = (context: RemedyContext): string =>
  `${kubectl(context)} rollout status ${workloadPath(context)} --timeout=20s || echo "still rolling out"`;

/**
 * Restarts the target's workload. New pods start with what is there now, also where they were refused before: the controller
 * waits longer after each refusal, and tries a new revision at once.
 */
export const restartTarget = (context: RemedyContext): string[] => [
  `${kubectl(context)} rollout restart ${workloadPath(context)}`,
  awaitRollout(context),
];

/** Restarts workloads, by name. */
export const restartAll = (
  context: RemedyContext,
  workloads: readonly (readonly [name: string, workload: Pick<WorkloadSpec, "kind">])[],
): string[] => {
  const paths = workloads.map(([name, { kind }]) => `${kind.toLowerCase()}/${name}`);
  return [`${kubectl(context)} rollout restart ${paths.join(" ")}`, awaitRollout(context)];
};

/**
 * Deletes the pods of a StatefulSet, which waits for a broken pod to become Ready before it replaces it: a rollout alone
 * repairs nothing there. Nothing for a Deployment.
 */
export const replaceStuckPods = (context: RemedyContext): string[] =>
  context.workload.kind === "StatefulSet"
    ? [`${kubectl(context)} delete pod -l ${podSelector(context)} --wait=false`]
    : [];

/** A JSON patch of an object. */
export const patchCommand = (
  context: Pick<RemedyContext, "namespace">,
  { kind }: Pick<Kind, "kind">,
  name: string,
  operations: readonly object[],
): string =>
  `${kubectl(context)} patch ${kind.toLowerCase()}/${name} --type=json -p ${shellWord(JSON.stringify(operations))}`;

/** A merge patch that gives one field (a JSON pointer) of an object a value; null takes it away. */
export function mergeCommand(
  context: Pick<RemedyContext, "namespace">,
  { kind }: Pick<Kind, "kind">,
  name: string,
  pointer: string,
  value: unknown,
): string {
  const steps = pointer.split("/").slice(1);
  const body = steps.reduceRight<unknown>((inner, step) => ({ [step]: inner }), value);
  return `${kubectl(context)} patch ${kind.toLowerCase()}/${name} --type=merge -p ${shellWord(JSON.stringify(body))}`;
}

/** A JSON patch of the target's workload. */
export const jsonPatch = (context: RemedyContext, operations: readonly object[]): string =>
  patchCommand(context, context.workload, context.name, operations);

/** The fault's parameters as its own schema reads them. */
export const parametersOf = <S extends z.ZodObject>(
  schema: S,
  { parameters = {} }: Pick<RemedyContext, "parameters">,
): z.output<S> => schema.parse(parameters);

/** JSON pointer to the target's container in its workload. */
export const containerPath = ({ workload, container }: RemedyContext): string =>
  `/spec/template/spec/containers/${workload.containers.findIndex(({ name }) => name === container)}`;

/** The target's container as the environment has it. */
export const containerOf = ({ workload, container }: RemedyContext) =>
  workload.containers.find(({ name }) => name === container);
