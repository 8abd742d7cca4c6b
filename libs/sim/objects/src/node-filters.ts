import { holdsLabels, matchesSelector, parseQuantity } from "@microremed/kube-rules";
import { type HostPort, hostPortsOf, isFree } from "./host-ports.ts";
import type { KubeObject } from "./objects.ts";
import type { Requests } from "./pod-requests.ts";
import { isReady } from "./pod-state.ts";

/** A taint of a node. `effect` is `NoSchedule`, `PreferNoSchedule` or `NoExecute`. */
export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/** A toleration of a pod. What is left out matches every taint. */
export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  /** How long a NoExecute taint is tolerated; undefined: for ever. */
  readonly tolerationSeconds?: number;
}

/** What is taken on a node by the pods that are bound to it. */
export interface NodeUse extends Requests {
  readonly pods: number;
  /** Ports of the node itself; absent: none. */
  readonly hostPorts?: readonly HostPort[];
}

/** Kubernetes' `ToleratesTaint`: effect, key and operator must match; `Equal` is the default operator. */
export function tolerates(taint: Taint, toleration: Toleration): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  if (toleration.operator === "Exists") return true;
  return toleration.key !== undefined && (toleration.value ?? "") === (taint.value ?? "");
}

function untolerated(node: KubeObject, tolerations: readonly Toleration[]): Taint | undefined {
  const taints: readonly Taint[] = node.spec?.taints ?? [];
  return taints.find(
    (taint) =>
      taint.effect !== "PreferNoSchedule" && !tolerations.some((toleration) => tolerates(taint, toleration)),
  );
}

/** Whether a pod with these tolerations may run on a node. Taints of `PreferNoSchedule` do not count. */
export function toleratesAll(node: KubeObject, tolerations: readonly Toleration[]): boolean {
  return untolerated(node, tolerations) === undefined;
}

/** One of the terms of a node selector: all of its requirements must be met. */
export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly { key: string; operator: string; values?: readonly string[] }[];
  readonly matchFields?: readonly { key: string; operator: string; values?: readonly string[] }[];
}

/** Whether the pod's node selector and required node affinity allow a node. */
export function meetsAffinity(pod: KubeObject, node: KubeObject): boolean {
  const terms: readonly NodeSelectorTerm[] | undefined =
    pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (!holdsLabels(node.metadata.labels, pod.spec.nodeSelector ?? {})) return false;
  if (!terms) return true;
  return meetsTerms(terms, node);
}

/** Whether a node meets one of the terms of a node selector. */
export const meetsTerms = (terms: readonly NodeSelectorTerm[], node: KubeObject): boolean =>
  terms.some((term) => matchesTerm(term, node));

function matchesTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  node: KubeObject,
): boolean {
  return (
    matchesSelector({ matchExpressions }, node.metadata.labels) &&
    matchesSelector({ matchExpressions: matchFields }, { "metadata.name": node.metadata.name })
  );
}

/** Sum of the weights of the pod's preferred node affinity that a node meets. */
export function preferredNodes(pod: KubeObject, node: KubeObject): number {
  const wishes: readonly { readonly weight: number; readonly preference: NodeSelectorTerm }[] =
    pod.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return wishes.reduce(
    (sum, { weight, preference }) => sum + (matchesTerm(preference, node) ? weight : 0),
    0,
  );
}

/** How much pods may request of a node: cores, bytes or a number of pods. 0: the node reports none. */
export function allocatable(node: KubeObject, name: "cpu" | "memory" | "pods"): number {
  return parseQuantity(node.status?.allocatable?.[name] ?? "0") ?? 0;
}

/** Why a pod can't run on a node, in the scheduler's words; empty: it can. */
export function reasonsAgainst(
  pod: KubeObject,
  node: KubeObject,
  wanted: Requests,
  used: NodeUse,
): readonly string[] {
  const tolerations: readonly Toleration[] = pod.spec.tolerations ?? [];
  const unschedulable: Taint = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };
  if (node.spec?.unschedulable && !tolerations.some((each) => tolerates(unschedulable, each))) {
    return ["node(s) were unschedulable"];
  }
  const taint = untolerated(node, tolerations);
  if (taint) return [`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ""}}`];
  if (!meetsAffinity(pod, node)) return ["node(s) didn't match Pod's node affinity/selector"];
  if (!isReady(node)) return ["node(s) were not ready"];
  if (!isFree(hostPortsOf(pod), used.hostPorts ?? []))
    return ["node(s) didn't have free ports for the requested pod ports"];
  const short: string[] = [];
  if (used.pods + 1 > allocatable(node, "pods")) short.push("Too many pods");
  if (wanted.cpu > 0 && used.cpu + wanted.cpu > allocatable(node, "cpu") + 1e-9)
    short.push("Insufficient cpu");
  if (wanted.memory > 0 && used.memory + wanted.memory > allocatable(node, "memory")) {
    short.push("Insufficient memory");
  }
  return short;
}
