import { matchesSelector } from "@microremed/kube-rules";
import { type ControllerContext, controllerOf, createWorkQueue } from "@microremed/sim-component-base";
import {
  allocatable,
  isFinished,
  isTerminating,
  type KubeObject,
  keyOf,
  meetsAffinity,
  type NodeUse,
  podRequests,
  preferredNodes,
  type Requests,
  reasonsAgainst,
  resources,
  splitKey,
} from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { rfc3339 } from "@microremed/sim-time";
import { indifferent, judgeTopology, type Neighbourhood } from "./pod-topology.ts";
import { choosePreemption, type Preemption, priorityOf } from "./preemption.ts";

const source = { component: "default-scheduler" };
const nobody: ReadonlySet<string> = new Set();
/** How long an unschedulable pod waits at most for another try when nothing changed, ms. */
const retryMs = 60_000;

interface Bound {
  readonly node: string;
  readonly cpu: number;
  readonly memory: number;
  readonly owner: string;
}

/** Room that a pod was promised on a node whose pods are being evicted for it. */
interface Promised extends Requests {
  readonly node: string;
  readonly priority: number;
}

export interface SchedulerContext extends ControllerContext {
  /** What it writes of pods that stay Pending goes here, in its own name; bindings have no author. */
  readonly statusStore: Store;
}

/** The kube-scheduler: binds pods to the fitting node with the most room. */
export function startScheduler(ctx: SchedulerContext): void {
  const { store, statusStore, loop, events } = ctx;
  const rng = ctx.rng.fork("scheduler");
  const queue = createWorkQueue({ ...ctx, name: "scheduler" }, schedule);
  const waiting = loop.keep(new Set<string>());
  /** Pods that keep others away. */
  const aloof = loop.keep(new Set<string>());
  const bound = loop.keep(new Map<string, Bound>());
  /** By the uid of the pod that waits for it. */
  const promised = loop.keep(new Map<string, Promised>());

  function follow(pod: KubeObject, gone: boolean): void {
    const { uid } = pod.metadata;
    if (gone || isFinished(pod)) aloof.delete(uid);
    else if (pod.spec?.affinity?.podAntiAffinity) aloof.add(uid);
    const node: string | undefined = pod.spec?.nodeName;
    if (node || gone) promised.delete(uid);
    if (node && !gone && !isFinished(pod)) {
      if (!bound.has(uid))
        bound.set(uid, { node, ...podRequests(pod), owner: controllerOf(pod)?.uid ?? uid });
      return;
    }
    if (bound.delete(uid)) retryWaiting();
  }

  function retryWaiting(): void {
    for (const key of waiting) queue.addAfter(key, 100 + rng.int(200));
  }

  /** What is taken on a node, as a pod sees it: without some pods, with what was promised to no less important ones. */
  function useOf(
    node: KubeObject,
    pod: KubeObject,
    without: ReadonlySet<string> = nobody,
  ): NodeUse & { readonly siblings: number } {
    const owner = controllerOf(pod)?.uid ?? pod.metadata.uid;
    const use = { cpu: 0, memory: 0, pods: 0, siblings: 0 };
    for (const [uid, each] of promised) {
      if (uid === pod.metadata.uid || each.node !== node.metadata.name) continue;
      if (each.priority < priorityOf(pod)) continue;
      use.cpu += each.cpu;
      use.memory += each.memory;
      use.pods += 1;
    }
    for (const [uid, each] of bound) {
      if (each.node !== node.metadata.name || without.has(uid)) continue;
      use.cpu += each.cpu;
      use.memory += each.memory;
      use.pods += 1;
      if (each.owner === owner) use.siblings += 1;
    }
    return use;
  }

  function unboundClaims(pod: KubeObject): string | undefined {
    const volumes: readonly { persistentVolumeClaim?: { claimName: string } }[] = pod.spec.volumes ?? [];
    for (const { persistentVolumeClaim } of volumes) {
      if (!persistentVolumeClaim) continue;
      const { claimName } = persistentVolumeClaim;
      const claim = store.get(resources.persistentVolumeClaims, pod.metadata.namespace, claimName);
      if (!claim) return `persistentvolumeclaim "${claimName}" not found`;
      if (claim.status?.phase !== "Bound") return "pod has unbound immediate PersistentVolumeClaims";
    }
    return undefined;
  }

  function reject(pod: KubeObject, message: string, nominatedNodeName?: string): void {
    const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
    const lastTransitionTime = rfc3339(loop.now());
    const others = (pod.status?.conditions ?? []).filter(
      (each: { type: string }) => each.type !== "PodScheduled",
    );
    const conditions = [...others, { ...condition, lastProbeTime: null, lastTransitionTime }];
    events.record(source, pod, { type: "Warning", reason: "FailedScheduling", message });
    waiting.add(keyOf(pod));
    queue.addAfter(keyOf(pod), retryMs);
    const { nominatedNodeName: _old, ...known } = pod.status ?? {};
    const nominated = nominatedNodeName ? { nominatedNodeName } : {};
    const status = { ...known, phase: "Pending", conditions, ...nominated };
    statusStore.update(resources.pods, { ...pod, status }, { status: true });
  }

  /** A pod with gates is not looked at before they are gone. */
  function hold(pod: KubeObject): void {
    if (pod.status?.conditions?.length > 0) return;
    const message = "Scheduling is blocked due to non-empty scheduling gates";
    const held = { type: "PodScheduled", status: "False", reason: "SchedulingGated", message };
    const conditions = [{ ...held, lastProbeTime: null, lastTransitionTime: rfc3339(loop.now()) }];
    const status = { ...pod.status, phase: "Pending", conditions };
    statusStore.update(resources.pods, { ...pod, status }, { status: true });
  }

  function bind(pod: KubeObject, node: string): void {
    const { namespace, name } = pod.metadata;
    waiting.delete(keyOf(pod));
    const lastTransitionTime = rfc3339(loop.now());
    const scheduled = { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime };
    const assigned = store.update(resources.pods, { ...pod, spec: { ...pod.spec, nodeName: node } });
    const status = { ...assigned.status, phase: "Pending", conditions: [scheduled] };
    store.update(resources.pods, { ...assigned, status }, { status: true });
    const message = `Successfully assigned ${namespace}/${name} to ${node}`;
    events.record(source, pod, { type: "Normal", reason: "Scheduled", message });
  }

  /** Whether it matters to anybody which pods run where. */
  const minds = ({ spec }: KubeObject): boolean =>
    aloof.size > 0 || spec.affinity !== undefined || (spec.topologySpreadConstraints ?? []).length > 0;

  function neighbourhood(pod: KubeObject, nodes: readonly KubeObject[]): Neighbourhood {
    const all = store.list(resources.pods);
    return {
      placed: all.filter((each) => each.spec.nodeName && !isFinished(each)),
      nodes: new Map(nodes.map((node) => [node.metadata.name, node])),
      namespaceLabels: (name) => store.get(resources.namespaces, undefined, name)?.metadata.labels,
      eligible: (node) => meetsAffinity(pod, node),
    };
  }

  function schedule(key: string): void {
    const pod = store.get(resources.pods, ...splitKey(key));
    if (!pod || pod.spec.nodeName || isTerminating(pod) || isFinished(pod)) {
      waiting.delete(key);
      return;
    }
    if (pod.spec.schedulingGates?.length > 0) {
      hold(pod);
      return;
    }
    const nodes = store.list(resources.nodes);
    const claims = unboundClaims(pod);
    if (claims) {
      const message = `0/${nodes.length} nodes are available: ${claims}. preemption: 0/${nodes.length} nodes are available: ${nodes.length} Preemption is not helpful for scheduling.`;
      reject(pod, message);
      return;
    }
    const wanted = podRequests(pod);
    const topology = minds(pod) ? judgeTopology(pod, neighbourhood(pod, nodes)) : indifferent;
    const against = new Map<string, readonly string[]>();
    let best: { name: string; score: number } | undefined;
    for (const node of nodes) {
      const use = useOf(node, pod);
      const topologyReason = topology.reason(node);
      const own = reasonsAgainst(pod, node, wanted, use);
      const reasons = own.length === 0 && topologyReason ? [topologyReason] : own;
      if (reasons.length > 0) {
        against.set(node.metadata.name, reasons);
        continue;
      }
      const free = (name: "cpu" | "memory"): number =>
        1 - (use[name] + wanted[name]) / allocatable(node, name);
      const wishes = (preferredNodes(pod, node) + topology.score(node)) / 100;
      const room = (free("cpu") + free("memory")) / 2;
      const nominated = pod.status?.nominatedNodeName === node.metadata.name ? 1000 : 0;
      const score = nominated + room + wishes - use.siblings + rng.float() * 1e-3;
      if (!best || score > best.score) best = { name: node.metadata.name, score };
    }
    if (best) {
      bind(pod, best.name);
      return;
    }
    makeRoom(pod, nodes, against);
  }

  /** No node fits: evicts less important pods where that helps; the pod is placed when they are gone. */
  function makeRoom(
    pod: KubeObject,
    nodes: readonly KubeObject[],
    against: ReadonlyMap<string, readonly string[]>,
  ): void {
    const why = `0/${nodes.length} nodes are available: ${counted([...against.values()].flat())}.`;
    const placed = store.list(resources.pods).filter((each) => each.spec.nodeName && !isFinished(each));
    const nominated: string | undefined = pod.status?.nominatedNodeName;
    const isLeaving = (each: KubeObject): boolean =>
      each.spec.nodeName === nominated && isTerminating(each) && priorityOf(each) < priorityOf(pod);
    if (pod.spec.preemptionPolicy === "Never") {
      reject(pod, `${why} preemption: not eligible due to preemptionPolicy=Never.`);
      return;
    }
    if (nominated !== undefined && placed.some(isLeaving)) {
      reject(
        pod,
        `${why} preemption: not eligible due to a terminating pod on the nominated node.`,
        nominated,
      );
      return;
    }
    const wanted = podRequests(pod);
    const fits = (node: KubeObject, without: ReadonlySet<string>): boolean => {
      if (reasonsAgainst(pod, node, wanted, useOf(node, pod, without)).length > 0) return false;
      if (!minds(pod)) return true;
      const rest = placed.filter((each) => !without.has(each.metadata.uid));
      return judgeTopology(pod, { ...neighbourhood(pod, nodes), placed: rest }).reason(node) === undefined;
    };
    const preemption = choosePreemption({ pod, nodes, placed, fits, violates });
    if (!preemption) {
      promised.delete(pod.metadata.uid);
      reject(pod, `${why} ${noVictims(nodes.length, [...against.values()])}`);
      return;
    }
    promised.set(pod.metadata.uid, { ...wanted, node: preemption.node, priority: priorityOf(pod) });
    reject(pod, why, preemption.node);
    evictAll(pod, preemption);
  }

  function violates(pod: KubeObject): boolean {
    return store
      .list(resources.podDisruptionBudgets, pod.metadata.namespace)
      .some(
        ({ spec, status }) =>
          matchesSelector(spec?.selector, pod.metadata.labels) && (status?.disruptionsAllowed ?? 0) < 1,
      );
  }

  function evictAll(pod: KubeObject, { node, victims }: Preemption): void {
    for (const victim of victims) {
      const { namespace, name, uid } = victim.metadata;
      const condition = {
        type: "DisruptionTarget",
        status: "True",
        reason: "PreemptionByScheduler",
        message: `${source.component}: preempting to accommodate a higher priority pod`,
        lastProbeTime: null,
        lastTransitionTime: rfc3339(loop.now()),
      };
      const conditions = [...(victim.status?.conditions ?? []), condition];
      const status = { ...victim.status, conditions };
      const marked = statusStore.update(resources.pods, { ...victim, status }, { status: true });
      const message = `Preempted by pod ${pod.metadata.uid} on node ${node}`;
      events.record(source, marked, { type: "Normal", reason: "Preempted", message });
      store.delete(resources.pods, namespace, name, { preconditions: { uid } });
    }
  }

  store.watch(resources.pods, (event) => {
    const { object } = event;
    follow(object, event.type === "DELETED");
    const gates = event.type === "MODIFIED" && event.previous?.spec?.schedulingGates?.length > 0;
    const freed = gates && !(object.spec?.schedulingGates?.length > 0);
    const isNew = (event.type === "ADDED" || freed) && !object.spec?.nodeName;
    if (isNew) queue.addAfter(keyOf(object), 50 + rng.int(100));
  });
  store.watch(resources.nodes, retryWaiting);
  store.watch(resources.persistentVolumeClaims, retryWaiting);
}

/** `2 Insufficient cpu, 1 Too many pods`, in the scheduler's order. */
function counted(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(", ");
}

/** Reasons that go away with other pods. */
const curable =
  /^(Insufficient|Too many|node\(s\) didn't (match pod anti-affinity|satisfy existing pods anti-affinity|match pod topology spread constraints$))/;

function noVictims(nodes: number, against: readonly (readonly string[])[]): string {
  const verdicts = against.map((reasons) =>
    reasons.every((reason) => curable.test(reason))
      ? "No preemption victims found for incoming pod"
      : "Preemption is not helpful for scheduling",
  );
  return `preemption: 0/${nodes} nodes are available: ${counted(verdicts)}.`;
}
