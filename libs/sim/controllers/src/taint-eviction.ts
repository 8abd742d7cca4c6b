import { type ControllerContext, createWorkQueue } from "@microremed/sim-component-base";
import {
  isFinished,
  isTerminating,
  type KubeObject,
  keyOf,
  resources,
  splitKey,
  type Taint,
  type Toleration,
  tolerates,
} from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";

const source = { component: "taint-eviction-controller" };
const nothing: readonly Taint[] = [];

const taintsOf = (node: KubeObject | undefined): readonly Taint[] => {
  const taints = (node?.spec?.taints ?? []) as readonly Taint[];
  const executing = taints.filter(({ effect }) => effect === "NoExecute");
  return executing.length > 0 ? executing : nothing;
};

/** How long a pod may stay on a node with these taints, ms; undefined: for ever. */
function stayMs(pod: KubeObject, taints: readonly Taint[]): number | undefined {
  const tolerations = (pod.spec.tolerations ?? []) as readonly Toleration[];
  let shortest: number | undefined;
  for (const taint of taints) {
    const fitting = tolerations.filter((toleration) => tolerates(taint, toleration));
    if (fitting.length === 0) return 0;
    for (const { tolerationSeconds } of fitting)
      if (tolerationSeconds !== undefined)
        shortest = Math.min(shortest ?? Number.POSITIVE_INFINITY, Math.max(0, tolerationSeconds) * 1000);
  }
  return shortest;
}

/** Deletes pods from nodes with NoExecute taints: at once, or when their toleration's time is up. */
export function startTaintEviction(ctx: ControllerContext): void {
  const { store, loop, events } = ctx;
  const queue = createWorkQueue({ ...ctx, name: "taint-eviction" }, reconcile);
  /** When a marked pod is due, by its uid. */
  const due = loop.keep(new Map<string, number>());

  function reconcile(key: string): void {
    const pod = store.get(resources.pods, ...splitKey(key));
    if (!pod?.spec.nodeName || isTerminating(pod) || isFinished(pod)) return;
    const { namespace, name, uid } = pod.metadata;
    const taints = taintsOf(store.get(resources.nodes, undefined, pod.spec.nodeName));
    const stay = stayMs(pod, taints);
    if (taints.length === 0 || stay === undefined) {
      if (due.delete(uid)) say(pod, `Cancelling deletion of Pod ${namespace}/${name}`);
      return;
    }
    const at = due.get(uid) ?? loop.now() + stay;
    due.set(uid, at);
    if (at > loop.now()) {
      queue.addAfter(key, at - loop.now());
      return;
    }
    due.delete(uid);
    say(pod, `Marking for deletion Pod ${namespace}/${name}`);
    markDisrupted(pod);
    store.delete(resources.pods, namespace, name, { preconditions: { uid } });
  }

  function say(pod: KubeObject, message: string): void {
    events.record(source, pod, { type: "Normal", reason: "TaintManagerEviction", message });
  }

  function markDisrupted(pod: KubeObject): void {
    const condition = {
      type: "DisruptionTarget",
      status: "True",
      reason: "DeletionByTaintManager",
      message: "Taint manager: deleting due to NoExecute taint",
      lastProbeTime: null,
      lastTransitionTime: rfc3339(loop.now()),
    };
    const { namespace, name } = pod.metadata;
    const change = (fresh: KubeObject): KubeObject => ({
      ...fresh,
      status: { ...fresh.status, conditions: [...(fresh.status?.conditions ?? []), condition] },
    });
    store.mutate(resources.pods, namespace, name, change, { status: true });
  }

  store.watch(resources.nodes, (event) => {
    const before = event.type === "MODIFIED" ? taintsOf(event.previous) : nothing;
    if (event.type === "DELETED" || JSON.stringify(before) === JSON.stringify(taintsOf(event.object))) return;
    for (const pod of store.list(resources.pods))
      if (pod.spec.nodeName === event.object.metadata.name) queue.add(keyOf(pod));
  });
  store.watch(resources.pods, (event) => {
    const { object } = event;
    if (event.type === "DELETED") due.delete(object.metadata.uid);
    else if (taintsOf(store.get(resources.nodes, undefined, object.spec?.nodeName ?? "")) !== nothing)
      queue.add(keyOf(object));
  });
}
