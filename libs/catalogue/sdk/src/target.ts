import type { ContainerSpec, Environment, WorkloadSpec } from "./environment/environment.types.ts";
import { workloadsBehind } from "./environment/selectors.ts";

/**
 * The kind of object that a fault changes or breaks. `claim` is a persistent volume claim, `policy` a network policy.
 */
export type TargetKind =
  | "workload"
  | "container"
  | "service"
  | "configmap"
  | "secret"
  | "claim"
  | "node"
  | "policy";

/** What a fault acts on. */
export interface TargetRef {
  readonly kind: TargetKind;
  readonly name: string;
  /** Of a workload; absent: its first. */
  readonly container?: string;
}

const otherKinds: ReadonlySet<string> = new Set([
  "container",
  "service",
  "configmap",
  "secret",
  "claim",
  "node",
  "policy",
]);

/**
 * A target as messages carry it: a workload's name; `container/<workload>/<container>`; else `<kind>/<name>`.
 */
export function targetText({ kind, name, container }: TargetRef): string {
  if (kind === "container" || container !== undefined) return `container/${name}/${container ?? ""}`;
  return kind === "workload" ? name : `${kind}/${name}`;
}

/** Reads what `targetText` writes. A text without a known kind before a slash is a workload's name. */
export function parseTarget(text: string): TargetRef {
  const [kind = "", name = "", container] = text.split("/");
  if (!text.includes("/") || !otherKinds.has(kind)) return { kind: "workload", name: text };
  return {
    kind: kind as TargetKind,
    name,
    ...(kind === "container" && container !== undefined && { container }),
  };
}

/** A workload of the environment and the container of it that is meant. */
export interface Place {
  readonly name: string;
  readonly workload: WorkloadSpec;
  readonly container: ContainerSpec;
}

/**
 * The workload of a target, and its container: behind a Service what it selects, of a ConfigMap, a
 * Secret or a claim the first that uses it. Undefined: the environment has none.
 */
export function targetOf(environment: Environment, target: string): Place | undefined {
  const ref = parseTarget(target);
  const name = workloadOf(environment, ref);
  const workload = name === undefined ? undefined : environment.workloads[name];
  const container = workload?.containers.find((one, index) =>
    ref.container === undefined ? index === 0 : one.name === ref.container,
  );
  return name !== undefined && workload && container ? { name, workload, container } : undefined;
}

/** Name of the workload of a target; the target itself where the environment has none. */
export const targetName = ({
  environment,
  target,
}: {
  readonly environment: Environment;
  readonly target: string;
}): string => targetOf(environment, target)?.name ?? target;

function workloadOf(environment: Environment, { kind, name }: TargetRef): string | undefined {
  if (kind === "workload" || kind === "container") return name in environment.workloads ? name : undefined;
  if (kind === "service") return workloadsBehind(environment, name)[0];
  return workloadsUsing(environment, { kind, name })[0];
}

/** The workloads that use a ConfigMap, a Secret or a claim. */
export function workloadsUsing({ workloads }: Environment, { kind, name }: TargetRef): string[] {
  return Object.entries(workloads).flatMap(([workload, spec]) => (uses(spec, kind, name) ? [workload] : []));
}

function uses(
  { containers, initContainers, volumes }: WorkloadSpec,
  kind: TargetKind,
  name: string,
): boolean {
  const mounted = Object.values(volumes).some(
    (spec) =>
      (kind === "claim" && spec.type === "claim" && spec.name === name) ||
      (kind === "configmap" && spec.type === "configMap" && spec.name === name) ||
      (kind === "secret" && spec.type === "secret" && spec.name === name),
  );
  const isMeant = (reference: object): boolean =>
    kind === "configmap"
      ? ("configMapKeyRef" in reference && named(reference.configMapKeyRef) === name) ||
        ("configMap" in reference && reference.configMap === name)
      : kind === "secret" &&
        (("secretKeyRef" in reference && named(reference.secretKeyRef) === name) ||
          ("secret" in reference && reference.secret === name));
  const referred = [...containers, ...initContainers].some(({ env, envFrom }) =>
    [...Object.values(env), ...envFrom].some((one) => typeof one === "object" && isMeant(one)),
  );
  return mounted || referred;
}

const named = (reference: unknown): unknown =>
  typeof reference === "object" && reference !== null && "name" in reference ? reference.name : undefined;
