import { type ControllerContext, createWorkQueue } from "@microremed/sim-component-base";
import { isReady, type KubeObject, resources, type Taint } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import { allDisrupted, atRate, type Limiter, spent, zoneOf, zoneRates } from "./zone-evictions.ts";

const source = { component: "node-controller" };
const unschedulable = "node.kubernetes.io/unschedulable";
const notReady = "node.kubernetes.io/not-ready";
const unreachable = "node.kubernetes.io/unreachable";

interface Condition {
  readonly type: string;
  readonly status: string;
}

/** Conditions by which a kubelet says that its node is short of something, with the taints for them. */
const pressures = [
  ["MemoryPressure", "memory-pressure"],
  ["DiskPressure", "disk-pressure"],
  ["PIDPressure", "pid-pressure"],
] as const;

const statusOf = (node: KubeObject, condition: string): string =>
  ((node.status?.conditions ?? []) as readonly Condition[]).find(({ type }) => type === condition)?.status ??
  "Unknown";
const readyStatus = (node: KubeObject): string => statusOf(node, "Ready");

/** What a node that is not ready is tainted with. */
const lostKey = (node: KubeObject): string => (readyStatus(node) === "Unknown" ? unreachable : notReady);

/** The taints that keep new pods away; they follow a node's state at once. */
function schedulingTaints(node: KubeObject): readonly Taint[] {
  const effect = "NoSchedule";
  return [
    ...(node.spec?.unschedulable ? [{ key: unschedulable, effect }] : []),
    ...(readyStatus(node) === "True" ? [] : [{ key: lostKey(node), effect }]),
    ...pressures
      .filter(([type]) => statusOf(node, type) === "True")
      .map(([, key]) => ({ key: `node.kubernetes.io/${key}`, effect })),
  ];
}

const own = new Set([
  ...[unschedulable, notReady, unreachable],
  ...pressures.map(([, key]) => `node.kubernetes.io/${key}`),
]);
const lost = new Set([notReady, unreachable]);
const isEvicting = ({ key, effect }: Taint): boolean => effect === "NoExecute" && lost.has(key);

const taintsOf = (node: KubeObject): readonly (Taint & { timeAdded?: string })[] => node.spec?.taints ?? [];

/** Keeps nodes' taints as their condition says, and the pods of nodes that are not ready out of Services. */
export function startNodeController(ctx: ControllerContext): void {
  const { store, loop, events } = ctx;
  const queue = createWorkQueue({ ...ctx, name: "node-lifecycle", delayMs: 100 }, reconcile);
  const limiters = loop.keep(new Map<string, Limiter>());

  function reconcile(name: string): void {
    keepRates();
    const node = store.get(resources.nodes, undefined, name);
    if (!node) return;
    keepTaints(node);
    if (!isReady(node)) for (const pod of podsOn(name)) unready(pod);
  }

  /** When a zone's rate changes, its nodes are reconciled again. */
  function keepRates(): void {
    const nodes = store.list(resources.nodes);
    for (const [zone, rate] of zoneRates(nodes)) {
      const old = limiters.get(zone);
      limiters.set(zone, atRate(old, rate, loop.now()));
      if (old === undefined || old.rate === rate) continue;
      for (const node of nodes) if (zoneOf(node) === zone) queue.add(node.metadata.name);
    }
  }

  /** Whether a node is to lose its pods. Takes its zone's turn, or waits for it. */
  function takesTurn(node: KubeObject): boolean {
    if (readyStatus(node) === "True" || allDisrupted(store.list(resources.nodes))) return false;
    if (taintsOf(node).some(isEvicting)) return true;
    const zone = zoneOf(node);
    const limiter = limiters.get(zone);
    if (!limiter || limiter.rate === 0) return false;
    const wait = limiter.nextAt - loop.now();
    if (wait > 0) queue.addAfter(node.metadata.name, wait);
    else limiters.set(zone, spent(limiter, loop.now()));
    return wait <= 0;
  }

  function keepTaints(node: KubeObject): void {
    const present = taintsOf(node);
    const evicting = takesTurn(node) ? [{ key: lostKey(node), effect: "NoExecute" }] : [];
    const wanted = [...schedulingTaints(node), ...evicting];
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

  const seen = (node: KubeObject): string =>
    JSON.stringify([schedulingTaints(node), node.spec?.taints, zoneOf(node)]);

  store.watch(resources.nodes, (event) => {
    const { object } = event;
    const previous = event.type === "MODIFIED" ? event.previous : undefined;
    // A node that goes may leave a zone of lost ones behind.
    if (!previous || seen(previous) !== seen(object)) queue.add(object.metadata.name);
  });
}
