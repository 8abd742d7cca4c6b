import type { KubeObject } from "../objects.ts";
import { resources } from "../resources.ts";
import type { Taint } from "../scheduler/node-filters.ts";
import { rfc3339 } from "../store/rfc3339.ts";
import type { ControllerContext } from "./context.ts";
import { isReady } from "./pod-state.ts";
import { createWorkQueue } from "./work-queue.ts";

const source = { component: "node-controller" };
const unschedulable = "node.kubernetes.io/unschedulable";
const notReady = "node.kubernetes.io/not-ready";
const unreachable = "node.kubernetes.io/unreachable";

interface Condition {
  readonly type: string;
  readonly status: string;
}

const readyStatus = (node: KubeObject): string =>
  ((node.status?.conditions ?? []) as readonly Condition[]).find(({ type }) => type === "Ready")?.status ??
  "Unknown";

/** The taints that a node's state asks for. */
function wantedTaints(node: KubeObject): readonly Taint[] {
  const status = readyStatus(node);
  const key = status === "Unknown" ? unreachable : notReady;
  return [
    ...(node.spec?.unschedulable ? [{ key: unschedulable, effect: "NoSchedule" }] : []),
    ...(status === "True" ? [] : ["NoSchedule", "NoExecute"].map((effect) => ({ key, effect }))),
  ];
}

const own = new Set([unschedulable, notReady, unreachable]);

/** Keeps nodes' taints as their condition says, and the pods of nodes that are not ready out of Services. */
export function startNodeController(ctx: ControllerContext): void {
  const { store, loop, events } = ctx;
  const queue = createWorkQueue({ ...ctx, name: "node-lifecycle", delayMs: 100 }, reconcile);

  function reconcile(name: string): void {
    const node = store.get(resources.nodes, undefined, name);
    if (!node) return;
    keepTaints(node);
    if (!isReady(node)) for (const pod of podsOn(name)) unready(pod);
  }

  function keepTaints(node: KubeObject): void {
    const present = (node.spec?.taints ?? []) as readonly (Taint & { timeAdded?: string })[];
    const wanted = wantedTaints(node);
    const same = (a: Taint, b: Taint): boolean => a.key === b.key && a.effect === b.effect;
    const kept = present.filter((taint) => !own.has(taint.key) || wanted.some((each) => same(each, taint)));
    const added = wanted.filter((each) => !present.some((taint) => same(each, taint)));
    if (added.length === 0 && kept.length === present.length) return;
    const timeAdded = rfc3339(loop.now());
    const taints = [...kept, ...added.map((taint) => ({ ...taint, timeAdded }))];
    const { taints: _old, ...spec } = node.spec ?? {};
    store.update(resources.nodes, { ...node, spec: { ...spec, ...(taints.length > 0 && { taints }) } });
  }

  const podsOn = (node: string): readonly KubeObject[] =>
    store.list(resources.pods).filter((pod) => pod.spec?.nodeName === node);

  function unready(pod: KubeObject): void {
    if (!isReady(pod)) return;
    const lastTransitionTime = rfc3339(loop.now());
    const conditions = (pod.status.conditions as readonly Condition[]).map((condition) =>
      condition.type === "Ready" ? { ...condition, status: "False", lastTransitionTime } : condition,
    );
    store.update(resources.pods, { ...pod, status: { ...pod.status, conditions } }, { status: true });
    events.record(source, pod, { type: "Warning", reason: "NodeNotReady", message: "Node is not ready" });
  }

  store.watch(resources.nodes, (event) => {
    if (event.type === "DELETED") return;
    const { object, previous } = event;
    const what = (node: KubeObject): string => JSON.stringify([wantedTaints(node), node.spec?.taints]);
    if (!previous || what(previous) !== what(object)) queue.add(object.metadata.name);
  });
}
