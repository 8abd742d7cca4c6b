import { followedAnnotation, type LoadCurve, loadCurve, orderedLabel } from "@microremed/environments";
import { type KubeObject, resources } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import type { EventLoop } from "@microremed/sim-time";
import { harnessNamespace } from "./harness-namespace.ts";

/** What the harness asks of the simulated users: how many there are in a namespace, times as many as usual. */
export interface LoadOrders extends Disposable {
  readonly factor: (namespace: string, now: number) => number;
  /** Name of the load that takes the place of the system's own; undefined: none does. */
  readonly nameOf: (namespace: string) => string | undefined;
}

/** The label that says which arena an order is for. */
const arenaLabel = "microremed.io/arena";

/** Follows the orders among the cluster's ConfigMaps, and notes on each that it is followed. One that cannot be read is not. */
export function createLoadOrders(store: Store, loop: EventLoop): LoadOrders {
  const present = loop.keep<{ curves: ReadonlyMap<string, readonly Followed[]> | undefined }>({
    curves: undefined,
  });
  const stop = store.watch(resources.configMaps, ({ type, object }) => {
    if (!isOrder(object)) return;
    present.curves = undefined;
    const { load } = dataOf(object);
    if (type === "DELETED" || object.metadata.annotations?.[followedAnnotation] === load) return;
    loop.after(0, "take a load order", () => take(store, object));
  });

  function ordersOf(namespace: string): readonly Followed[] {
    present.curves ??= readAll(store);
    return present.curves.get(namespace) ?? [];
  }

  return {
    factor: (namespace, now) => ordersOf(namespace).reduce((product, { curve }) => product * curve(now), 1),
    nameOf: (namespace) => ordersOf(namespace).find(({ name }) => name !== undefined)?.name,
    [Symbol.dispose]: stop,
  };
}

/** Says on the order, as it is now, that it is followed. */
function take(store: Store, { metadata: { namespace, name } }: KubeObject): void {
  const object = store.get(resources.configMaps, namespace, name);
  const load = object && dataOf(object).load;
  if (!object || load === undefined || !orderIn(object)) return;
  const annotations = { ...object.metadata.annotations, [followedAnnotation]: load };
  store.update(resources.configMaps, { ...object, metadata: { ...object.metadata, annotations } });
}

/** What an order asks for. */
interface Followed {
  readonly curve: LoadCurve;
  readonly name: string | undefined;
}

function readAll(store: Store): ReadonlyMap<string, readonly Followed[]> {
  const orders = store.list(resources.configMaps, harnessNamespace).filter(isOrder);
  const byArena = Map.groupBy(orders, ({ metadata }) => metadata.labels?.[arenaLabel] ?? "");
  return new Map([...byArena].map(([arena, some]) => [arena, some.flatMap((one) => orderIn(one) ?? [])]));
}

const isOrder = ({ metadata }: KubeObject): boolean =>
  metadata.namespace === harnessNamespace && metadata.labels?.[orderedLabel] !== undefined;

const dataOf = (object: KubeObject) => (object["data"] ?? {}) as { readonly load?: string };

/** Undefined: no load, or one without a number. */
function orderIn(object: KubeObject): Followed | undefined {
  try {
    const order = JSON.parse(dataOf(object).load ?? "");
    const curve = loadCurve(order);
    const now = curve(Number(order.origin));
    const name = typeof order.pattern.load === "string" ? order.pattern.load : undefined;
    return Number.isFinite(now) && now >= 0 ? { curve, name } : undefined;
  } catch {
    return undefined;
  }
}
