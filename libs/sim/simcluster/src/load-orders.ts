import { followedAnnotation, type LoadCurve, loadCurve, orderedLabel } from "@microremed/environments";
import { type KubeObject, resources } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import type { EventLoop } from "@microremed/sim-time";
import { harnessNamespace } from "./harness-namespace.ts";

/** What the harness asks of the simulated users: how many there are in a namespace, times as many as usual. */
export interface LoadOrders extends Disposable {
  readonly factor: (namespace: string, now: number) => number;
}

/** The label that says which arena an order is for. */
const arenaLabel = "microremed.io/arena";

/** Follows the orders among the cluster's ConfigMaps, and notes on each that it is followed. One that cannot be read is not. */
export function createLoadOrders(store: Store, loop: EventLoop): LoadOrders {
  const present = loop.keep<{ curves: ReadonlyMap<string, readonly LoadCurve[]> | undefined }>({
    curves: undefined,
  });
  const stop = store.watch(resources.configMaps, ({ type, object }) => {
    if (!isOrder(object)) return;
    present.curves = undefined;
    const { load } = dataOf(object);
    if (type === "DELETED" || object.metadata.annotations?.[followedAnnotation] === load) return;
    loop.after(0, "take a load order", () => take(store, object));
  });

  return {
    factor(namespace, now) {
      present.curves ??= readAll(store);
      return (present.curves.get(namespace) ?? []).reduce((product, curve) => product * curve(now), 1);
    },
    [Symbol.dispose]: stop,
  };
}

/** Says on the order, as it is now, that it is followed. */
function take(store: Store, { metadata: { namespace, name } }: KubeObject): void {
  const object = store.get(resources.configMaps, namespace, name);
  const load = object && dataOf(object).load;
  if (!object || load === undefined || !curveOf(object)) return;
  const annotations = { ...object.metadata.annotations, [followedAnnotation]: load };
  store.update(resources.configMaps, { ...object, metadata: { ...object.metadata, annotations } });
}

function readAll(store: Store): ReadonlyMap<string, readonly LoadCurve[]> {
  const orders = store.list(resources.configMaps, harnessNamespace).filter(isOrder);
  const byArena = Map.groupBy(orders, ({ metadata }) => metadata.labels?.[arenaLabel] ?? "");
  return new Map([...byArena].map(([arena, some]) => [arena, some.flatMap((one) => curveOf(one) ?? [])]));
}

const isOrder = ({ metadata }: KubeObject): boolean =>
  metadata.namespace === harnessNamespace && metadata.labels?.[orderedLabel] !== undefined;

const dataOf = (object: KubeObject) => (object["data"] ?? {}) as { readonly load?: string };

/** Undefined: no load, or one without a number. */
function curveOf(object: KubeObject): LoadCurve | undefined {
  try {
    const order = JSON.parse(dataOf(object).load ?? "");
    const curve = loadCurve(order);
    const now = curve(Number(order.origin));
    return Number.isFinite(now) && now >= 0 ? curve : undefined;
  } catch {
    return undefined;
  }
}
