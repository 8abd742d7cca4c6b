import {
  type Environment,
  podLabelsOf,
  selectorOf,
  servicesOver,
  workloadOfPod,
  workloadsBehind,
} from "@microremed/catalogue";
import type { KubeObject, Pod, Workload } from "@microremed/cluster";
import type { DamageClass } from "@microremed/contracts";
import { endsLate } from "./going.ts";
import { ownersAmong } from "./owners.ts";
import { openResourceProblems, specProblems } from "./pod-spec.ts";
import type { ArenaObjects } from "./read-arena.ts";
import { isOfUsers, readBy } from "./read-by.ts";

/** What a pod has that it should not have. */
export interface PodFinding {
  readonly pod: Pod;
  /** The declared workload that it is a pod of; undefined: of none. */
  readonly workload: string | undefined;
  readonly class: DamageClass;
  readonly what: "added" | "changed";
  readonly detail: string;
}

/** A finding in one line, to find it again. */
export const findingText = ({ pod, detail }: PodFinding): string => `Pod/${pod.metadata.name} ${detail}`;

type Labels = Readonly<Record<string, string>>;

/**
 * Compares every running pod with the template of its workload, and finds pods that take the place of declared ones.
 * `annotations`: names that pods had before; undefined: not known, and none is judged.
 */
export function podFindings(
  environment: Environment,
  { objects, around }: Pick<ArenaObjects, "objects" | "around">,
  annotations?: readonly string[],
): PodFinding[] {
  const isFilledIn = around.some(({ kind }) => kind === "LimitRange");
  const ownerOf = ownersAmong(objects);
  const pods = objects.filter(({ kind }) => kind === "Pod") as readonly Pod[];
  return pods.flatMap((pod): PodFinding[] => {
    const workload = workloadOver(environment, pod, ownerOf);
    const name = workload?.metadata.name;
    const finding = (is: DamageClass, detail: string): PodFinding => ({
      pod,
      workload: name,
      class: is,
      what: "changed",
      detail,
    });
    const held = (pod.metadata.finalizers ?? [])
      .filter((name) => !isOfJobs(pod, name))
      .map((name) => finding("breaks", `cannot end: it has the finalizer ${name}`));
    held.push(...lateToEnd(environment, pod).map((detail) => finding("breaks", detail)));
    if (!isDeclared(environment, pod) && endsLate(pod)) {
      const detail = `may run on for ${pod.metadata.deletionGracePeriodSeconds} s`;
      held.push({ ...finding("foreign", detail), what: "added" });
    }
    if (!isRunning(pod)) return held;
    const debugged = (pod.spec?.ephemeralContainers ?? []).map(({ name }) =>
      hasEnded(pod, name)
        ? finding("changed", `had the ephemeral container ${name}, which has ended`)
        : finding("acts", `has the ephemeral container ${name}`),
    );
    if (!workload || name === undefined) {
      const place = placeTaken(environment, pod.metadata.labels ?? {});
      return place === undefined
        ? [...held, ...debugged]
        : [{ ...finding("breaks", place), what: "added" }, ...held, ...debugged];
    }
    const breaks = [
      ...labelProblems(environment, name, pod, workload),
      ...strayServices(environment, name, pod.metadata.labels ?? {}),
    ];
    return [
      ...breaks.map((detail) => finding("breaks", detail)),
      ...specProblems(pod, workload).map((one) => finding(one.class, one.detail)),
      ...(isFilledIn ? [] : openResourceProblems(pod, workload)).map((one) => finding(one.class, one.detail)),
      ...annotationProblems(pod, workload, annotations).map(([is, detail]) => finding(is, detail)),
      ...addedLabels(environment, pod, workload).map(([is, detail]) => finding(is, detail)),
      ...held,
      ...debugged,
    ];
  });
}

/** The Job controller holds the pods of Jobs until it has counted them. From a pod of anything else it takes nothing away. */
const isOfJobs = ({ metadata }: Pod, finalizer: string): boolean =>
  finalizer === "batch.kubernetes.io/job-tracking" &&
  (metadata.ownerReferences ?? []).some(({ kind, controller }) => controller && kind === "Job");

const isDeclared = (environment: Environment, { metadata }: Pod): boolean =>
  workloadOfPod(environment, metadata.labels) !== undefined;

/** Nothing starts an ephemeral container again; what it has done is measured. */
const hasEnded = ({ status }: Pod, container: string): boolean =>
  status?.ephemeralContainerStatuses?.find(({ name }) => name === container)?.state?.terminated !== undefined;

/** A pod that was asked to end and may take longer than its workload declares stays with all that it holds. */
function lateToEnd(environment: Environment, { metadata }: Pod): string[] {
  const { deletionTimestamp, deletionGracePeriodSeconds: seconds = 0, labels } = metadata;
  const name = workloadOfPod(environment, labels);
  const workload = name === undefined ? undefined : environment.workloads[name];
  if (deletionTimestamp === undefined || !workload) return [];
  if (seconds <= workload.terminationGracePeriodSeconds) return [];
  return [`may take ${seconds} s to end, ${workload.terminationGracePeriodSeconds} s are declared`];
}

/**
 * Annotations of a pod that its template has not: something may act on them as on those of a template. Those of users do
 * nothing, but outlast the episode with the pod.
 */
function annotationProblems(
  { metadata }: Pod,
  { spec }: Workload,
  known: readonly string[] | undefined,
): [DamageClass, string][] {
  if (known === undefined) return [];
  const wanted = spec?.template?.metadata?.annotations ?? {};
  return Object.entries(metadata.annotations ?? {}).flatMap(([name, value]): [DamageClass, string][] => {
    const reader = readBy(name);
    if ((reader === "none" && !isOfUsers(name)) || wanted[name] === value) return [];
    if (known.includes(name) && wanted[name] === undefined) return [];
    const detail = `has the annotation ${name}=${value}, which its template has not`;
    return [[reader === "none" ? "allowed" : reader === "cluster" ? "acts" : "changed", detail]];
  });
}

/** What controllers write on each pod: they replace or let go one with another value. */
const ownLabels = new Set(["pod-template-hash", "controller-revision-hash"]);

/** What a StatefulSet writes on its pods, by their names. */
const labelsByName = (pod: string, kind: string | undefined): Labels =>
  kind === "StatefulSet"
    ? {
        "statefulset.kubernetes.io/pod-name": pod,
        "apps.kubernetes.io/pod-index": pod.slice(pod.lastIndexOf("-") + 1),
      }
    : {};

/** Labels of a pod that its template has not. Nothing acts on most of them, but a later fault may select pods by them. */
function addedLabels(
  environment: Environment,
  { metadata }: Pod,
  { kind, metadata: { name: owner }, spec }: Workload,
): [DamageClass, string][] {
  const wanted: Labels = { ...spec?.template?.metadata?.labels, ...labelsByName(metadata.name, kind) };
  return Object.entries(metadata.labels ?? {}).flatMap(([name, value]): [DamageClass, string][] => {
    if (ownLabels.has(name) || isOwnRole(environment, owner, name) || wanted[name] === value) return [];
    const detail = `has the label ${name}=${value}, which its template has not`;
    return [[readBy(name) === "none" ? "allowed" : "changed", detail]];
  });
}

function isRunning({ metadata, status }: Pod): boolean {
  return (
    metadata.deletionTimestamp === undefined && status?.phase !== "Succeeded" && status?.phase !== "Failed"
  );
}

/** Follows the owners of a pod to a Deployment or StatefulSet that the environment declares. */
function workloadOver(
  { workloads }: Environment,
  pod: Pod,
  ownerOf: ReturnType<typeof ownersAmong>,
): Workload | undefined {
  const first = ownerOf(pod);
  const top = first?.kind === "ReplicaSet" ? ownerOf(first) : first;
  const isDeclared = top !== undefined && workloads[top.metadata.name]?.kind === top.kind;
  return isDeclared ? (top as Workload) : undefined;
}

/** Names of declared workloads by their pods, as owners say; undefined: a pod of none. */
export function workloadsOver(
  environment: Environment,
  objects: readonly KubeObject[],
): (pod: Pod) => string | undefined {
  const ownerOf = ownersAmong(objects);
  return (pod) => workloadOver(environment, pod, ownerOf)?.metadata.name;
}

/** What a pod without a declared workload would be taken for; undefined: nothing. */
export function placeTaken(environment: Environment, labels: Labels): string | undefined {
  const workload = Object.entries(environment.workloads).find(([name, one]) =>
    isSubset(selectorOf(name, one), labels),
  )?.[0];
  if (workload !== undefined) return `has the labels of ${workload} and is no pod of it`;
  const service = Object.entries(environment.services).find(([, { selector }]) =>
    isSubset(selector, labels),
  )?.[0];
  return service === undefined ? undefined : `is behind the Service ${service} and belongs to no workload`;
}

function labelProblems(environment: Environment, name: string, pod: Pod, workload: Workload): string[] {
  const spec = environment.workloads[name];
  const declared = spec ? podLabelsOf(environment, name, spec) : {};
  const wanted = { ...workload.spec?.template?.metadata?.labels, ...declared };
  const wrong = Object.entries(wanted).filter(
    ([label, value]) => pod.metadata.labels?.[label] !== value && !isOwnRole(environment, name, label),
  );
  return wrong.map(([label, value]) => `lacks the label ${label}=${value}`);
}

/** Programs that may write to the API server set the `role` of their own pods. */
const isOwnRole = ({ workloads }: Environment, name: string, label: string): boolean =>
  label === "role" && (workloads[name]?.permissions.length ?? 0) > 0;

/** Services that select the pod and were not declared to. */
function strayServices(environment: Environment, name: string, labels: Labels): string[] {
  const own = new Set(servicesOver(environment, name).map(([service]) => service));
  return Object.entries(environment.services)
    .filter(([service, { selector }]) => !own.has(service) && isSubset(selector, labels))
    .map(([service]) => `is behind the Service ${service} of ${workloadsBehind(environment, service)}`);
}

function isSubset(some: Labels, all: Labels): boolean {
  return Object.keys(some).length > 0 && Object.entries(some).every(([label, value]) => all[label] === value);
}
