import type { ControllerContext } from "../controllers/context.ts";
import { keyOf, splitKey } from "../controllers/keys.ts";
import { controllerOf } from "../controllers/owner-index.ts";
import { isFinished, isTerminating } from "../controllers/pod-state.ts";
import { createWorkQueue } from "../controllers/work-queue.ts";
import type { KubeObject } from "../objects.ts";
import { resources } from "../resources.ts";
import { rfc3339 } from "../store/rfc3339.ts";
import type { Store } from "../store.types.ts";
import { allocatable, meetsAffinity, type NodeUse, preferredNodes, reasonsAgainst } from "./node-filters.ts";
import { podRequests } from "./pod-requests.ts";
import { indifferent, judgeTopology, type Neighbourhood } from "./pod-topology.ts";

const source = { component: "default-scheduler" };
/** How long an unschedulable pod waits at most for another try when nothing changed, ms. */
const retryMs = 60_000;

interface Bound {
  readonly node: string;
  readonly cpu: number;
  readonly memory: number;
  readonly owner: string;
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

  function follow(pod: KubeObject, gone: boolean): void {
    const { uid } = pod.metadata;
    if (gone || isFinished(pod)) aloof.delete(uid);
    else if (pod.spec?.affinity?.podAntiAffinity) aloof.add(uid);
    const node: string | undefined = pod.spec?.nodeName;
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

  function useOf(node: KubeObject, owner: string): NodeUse & { readonly siblings: number } {
    const use = { cpu: 0, memory: 0, pods: 0, siblings: 0 };
    for (const each of bound.values()) {
      if (each.node !== node.metadata.name) continue;
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

  function reject(pod: KubeObject, message: string): void {
    const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", message };
    const lastTransitionTime = rfc3339(loop.now());
    const others = (pod.status?.conditions ?? []).filter(
      (each: { type: string }) => each.type !== "PodScheduled",
    );
    const conditions = [...others, { ...condition, lastProbeTime: null, lastTransitionTime }];
    events.record(source, pod, { type: "Warning", reason: "FailedScheduling", message });
    waiting.add(keyOf(pod));
    queue.addAfter(keyOf(pod), retryMs);
    const status = { ...pod.status, phase: "Pending", conditions };
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
    const owner = controllerOf(pod)?.uid ?? pod.metadata.uid;
    const topology = minds(pod) ? judgeTopology(pod, neighbourhood(pod, nodes)) : indifferent;
    const against = new Map<string, number>();
    let best: { name: string; score: number } | undefined;
    for (const node of nodes) {
      const use = useOf(node, owner);
      const topologyReason = topology.reason(node);
      const own = reasonsAgainst(pod, node, wanted, use);
      const reasons = own.length === 0 && topologyReason ? [topologyReason] : own;
      for (const reason of reasons) against.set(reason, (against.get(reason) ?? 0) + 1);
      if (reasons.length > 0) continue;
      const free = (name: "cpu" | "memory"): number =>
        1 - (use[name] + wanted[name]) / allocatable(node, name);
      const wishes = (preferredNodes(pod, node) + topology.score(node)) / 100;
      const room = (free("cpu") + free("memory")) / 2;
      const score = room + wishes - use.siblings + rng.float() * 1e-3;
      if (!best || score > best.score) best = { name: node.metadata.name, score };
    }
    if (best) {
      bind(pod, best.name);
      return;
    }
    reject(pod, unschedulableMessage(nodes.length, against));
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

function unschedulableMessage(nodes: number, against: ReadonlyMap<string, number>): string {
  const list = [...against].map(([reason, count]) => `${count} ${reason}`).sort();
  const resourceShort =
    [...against.keys()].filter((reason) => /^(Insufficient|Too many)/.test(reason)).length > 0;
  const preemption = resourceShort
    ? `${nodes} No preemption victims found for incoming pod`
    : `${nodes} Preemption is not helpful for scheduling`;
  return `0/${nodes} nodes are available: ${list.join(", ")}. preemption: 0/${nodes} nodes are available: ${preemption}.`;
}
