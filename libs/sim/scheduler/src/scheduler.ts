import { type ControllerContext, createWorkQueue } from "@microremed/sim-component-base";
import {
  isFinished,
  isTerminating,
  type KubeObject,
  keyOf,
  podRequests,
  resources,
  splitKey,
} from "@microremed/sim-objects";
import type { Store, WatchEvent } from "@microremed/sim-store";
import { chooseNode } from "./choose-node.ts";
import { createPlacements } from "./placements.ts";
import { createPreemptor } from "./preemptor.ts";
import { claimMissing, noNodeFits, noVictims } from "./scheduling-messages.ts";
import { gated, scheduled, unschedulable } from "./scheduling-status.ts";
import { createTopology } from "./topology-of.ts";
import { claimsOf } from "./volume-affinity.ts";

/** Pods that name another scheduler are left to it. */
const ownName = "default-scheduler";
const source = { component: ownName };
/** How long an unschedulable pod waits at most for another try when nothing changed, ms. */
const retryMs = 60_000;

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
  const placements = createPlacements(loop);
  const topologyOf = createTopology(store, placements);
  const preempt = createPreemptor(ctx, placements, { reject, topologyOf });

  function retryWaiting(): void {
    for (const key of waiting) queue.addAfter(key, 100 + rng.int(200));
  }

  function reject(pod: KubeObject, message: string, nominatedNodeName?: string): void {
    events.record(source, pod, { type: "Warning", reason: "FailedScheduling", message });
    waiting.add(keyOf(pod));
    queue.addAfter(keyOf(pod), retryMs);
    const status = unschedulable(pod, message, loop.now(), nominatedNodeName);
    statusStore.update(resources.pods, { ...pod, status }, { status: true });
  }

  /** A pod with gates is not considered before they are gone. */
  function hold(pod: KubeObject): void {
    if (pod.status?.conditions?.length > 0) return;
    statusStore.update(resources.pods, { ...pod, status: gated(pod, loop.now()) }, { status: true });
  }

  function bind(pod: KubeObject, node: string): void {
    const { namespace, name } = pod.metadata;
    waiting.delete(keyOf(pod));
    const assigned = store.update(resources.pods, { ...pod, spec: { ...pod.spec, nodeName: node } });
    const status = scheduled(assigned, loop.now());
    store.update(resources.pods, { ...assigned, status }, { status: true });
    const message = `Successfully assigned ${namespace}/${name} to ${node}`;
    events.record(source, pod, { type: "Normal", reason: "Scheduled", message });
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
    const claims = unboundClaims(store, pod);
    if (claims) {
      reject(pod, claimMissing(nodes.length, claims));
      return;
    }
    if (isClaimTaken(store, pod)) {
      const everywhere = nodes.map(() => [claimTaken]);
      reject(pod, `${noNodeFits(nodes.length, everywhere)} ${noVictims(nodes.length, everywhere)}`);
      return;
    }
    const { node, against } = chooseNode({
      pod,
      nodes,
      wanted: podRequests(pod),
      topology: topologyOf(pod, nodes),
      useOf: (each) => placements.useOf(each, pod),
      tieBreak: () => rng.float(),
    });
    if (node === undefined) preempt(pod, nodes, [...against.values()]);
    else bind(pod, node);
  }

  store.watch(resources.pods, (event) => {
    const { object } = event;
    if (placements.follow(object, event.type === "DELETED")) retryWaiting();
    if (isNew(event)) queue.addAfter(keyOf(object), 50 + rng.int(100));
  });
  store.watch(resources.nodes, retryWaiting);
  store.watch(resources.persistentVolumeClaims, retryWaiting);
}

/** A pod came that is to be placed by us, or lost its last scheduling gate. */
function isNew(event: WatchEvent): boolean {
  const { spec } = event.object;
  if (spec?.nodeName || (spec?.schedulerName ?? ownName) !== ownName) return false;
  if (event.type === "ADDED") return true;
  const gates = event.type === "MODIFIED" && event.previous?.spec?.schedulingGates?.length > 0;
  return gates && !(spec?.schedulingGates?.length > 0);
}

const claimTaken =
  "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode";

/** Whether a claim of the pod is for one pod alone (ReadWriteOncePod), and another that is placed has it. */
function isClaimTaken(store: Store, pod: KubeObject): boolean {
  const { namespace, uid } = pod.metadata;
  const alone = claimsOf(pod).filter((name) =>
    store
      .get(resources.persistentVolumeClaims, namespace, name)
      ?.spec?.accessModes?.includes("ReadWriteOncePod"),
  );
  if (alone.length === 0) return false;
  return store
    .list(resources.pods, namespace)
    .some(
      (each) =>
        each.metadata.uid !== uid &&
        each.spec.nodeName &&
        !isFinished(each) &&
        claimsOf(each).some((name) => alone.includes(name)),
    );
}

/** What is wrong with the pod's claims; undefined: nothing. */
function unboundClaims(store: Store, pod: KubeObject): string | undefined {
  for (const claimName of claimsOf(pod)) {
    const claim = store.get(resources.persistentVolumeClaims, pod.metadata.namespace, claimName);
    if (!claim) return `persistentvolumeclaim "${claimName}" not found`;
    if (isTerminating(claim)) return `persistentvolumeclaim "${claimName}" is being deleted`;
    if (claim.status?.phase !== "Bound") return "pod has unbound immediate PersistentVolumeClaims";
  }
  return undefined;
}
