import {
  type Environment,
  mayLabelPods,
  servicesOver,
  workloadOfPod,
  workloadsBehind,
} from "@microremed/catalogue";
import type { Pod, Workload } from "@microremed/cluster";
import type { DamageClass } from "@microremed/contracts";
import { oncePer } from "@microremed/core";
import type { Exposes } from "./exposure.ts";
import { endsLate } from "./going.ts";
import { ownersAmong } from "./owners.ts";
import { annotationProblems } from "./pod-notes.ts";
import { workloadOver } from "./pod-owner.ts";
import { openResourceProblems, specProblems } from "./pod-spec.ts";
import { tokensOf } from "./pod-token.ts";
import type { ArenaObjects } from "./read-arena.ts";
import { readBy } from "./read-by.ts";

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

/** What is known of pods beside their templates. */
export interface KnownOfPods {
  /** Names of annotations that the cluster itself writes; undefined: not known, and none is judged. */
  readonly annotations?: readonly string[] | undefined;
  /** Digests of what the cluster gives pods as their tokens; undefined: not known, and none is judged. */
  readonly tokens?: readonly string[] | undefined;
  readonly exposes?: Exposes;
}

/** Compares every running pod with the template of its workload, and finds pods that take the place of declared ones. */
export function podFindings(
  environment: Environment,
  { objects, around }: Pick<ArenaObjects, "objects" | "around">,
  { annotations, tokens, exposes }: KnownOfPods = {},
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
    if (hasEndedForGood(pod) && workload !== undefined)
      return [...held, { ...finding("foreign", "has ended and stays"), what: "added" }];
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
      ...tokenProblems(pod, tokens).map((detail) => finding("breaks", detail)),
      ...(isFilledIn ? [] : openResourceProblems(pod, workload)).map((one) => finding(one.class, one.detail)),
      ...annotationProblems(pod, workload, annotations, exposes).map(([is, detail]) => finding(is, detail)),
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

/** What controllers write on each pod: they replace or let go one with another value. */
const ownLabels = new Set(["pod-template-hash", "controller-revision-hash", "pod-template-generation"]);

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

/**
 * Controllers count such a pod no more and leave it where it is. A kubelet evicts pods when its node is full, which no remedy
 * has asked for.
 */
function hasEndedForGood({ metadata, status }: Pod): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  if (status?.phase !== "Succeeded" && status?.phase !== "Failed") return false;
  const conditions = (status as { readonly conditions?: readonly Condition[] }).conditions ?? [];
  return !conditions.some(
    ({ type, reason }) => type === "DisruptionTarget" && reason === "TerminationByKubelet",
  );
}

interface Condition {
  readonly type: string;
  readonly reason?: string;
}

/** With another token, or none in its place, a program finds the API server and is refused there, or trusts another one. */
function tokenProblems(pod: Pod, known: readonly string[] | undefined): string[] {
  if (known === undefined || tokensOf(pod).every((one) => known.includes(one))) return [];
  return ["has another volume in the place of the token that the cluster gives"];
}

/** What a pod without a declared workload would be taken for; undefined: nothing. */
export function placeTaken(environment: Environment, labels: Labels): string | undefined {
  const workload = Object.entries(environment.workloads).find(([, one]) =>
    isSubset(one.selector, labels),
  )?.[0];
  if (workload !== undefined) return `has the labels of ${workload} and is no pod of it`;
  const service = Object.entries(environment.services).find(([, { selector }]) =>
    isSubset(selector, labels),
  )?.[0];
  return service === undefined ? undefined : `is behind the Service ${service} and belongs to no workload`;
}

function labelProblems(environment: Environment, name: string, pod: Pod, workload: Workload): string[] {
  const spec = environment.workloads[name];
  const declared = spec ? spec.labels : {};
  const wanted = { ...workload.spec?.template?.metadata?.labels, ...declared };
  const wrong = Object.entries(wanted).filter(
    ([label, value]) => pod.metadata.labels?.[label] !== value && !isOwnRole(environment, name, label),
  );
  return wrong.map(([label, value]) => `lacks the label ${label}=${value}`);
}

/** Programs that may write to the API server set the `role` of their own pods. */
const isOwnRole = ({ workloads }: Environment, name: string, label: string): boolean =>
  label === "role" && mayLabelPods(workloads[name]?.permissions ?? []);

/** Services that select the pod and were not declared to. */
function strayServices(environment: Environment, name: string, labels: Labels): string[] {
  const own = new Set(servicesOver(environment, name).map(([service]) => service));
  return entriesOf(environment.services)
    .filter(([service, { selector }]) => !own.has(service) && isSubset(selector, labels))
    .map(([service]) => `is behind the Service ${service} of ${workloadsBehind(environment, service)}`);
}

const entriesOf = oncePer((services: Environment["services"]) => Object.entries(services));

function isSubset(some: Labels, all: Labels): boolean {
  const labels = Object.keys(some);
  return labels.length > 0 && labels.every((label) => all[label] === some[label]);
}
