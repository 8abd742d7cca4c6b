import { type ControllerContext, createWorkQueue } from "@microremed/sim-component-base";
import { keyOf, resources, splitKey } from "@microremed/sim-objects";
import { isMirrored, mirroredSlices, mirroringManager } from "./mirrored-slices.ts";
import { createSliceKeeper } from "./slice-keeper.ts";

/** Makes slices from the Endpoints that clients keep for Services without a selector: proxies read only slices. */
export function startEndpointSliceMirroring(ctx: ControllerContext): void {
  const { store } = ctx;
  const queue = createWorkQueue({ ...ctx, name: "endpoint slice mirroring", delayMs: 8 }, reconcile);
  const keepSlices = createSliceKeeper(
    { ...ctx, rng: ctx.rng.fork("endpoint-slice-mirroring") },
    { manager: mirroringManager, onForeignChange: queue.add },
  );
  const hasSelector = (key: string): boolean => {
    const [namespace, name] = splitKey(key);
    return store.get(resources.services, namespace, name)?.spec.selector !== undefined;
  };

  function reconcile(key: string): void {
    const [namespace, name] = splitKey(key);
    const isService = store.get(resources.services, namespace, name) !== undefined;
    const endpoints = store.get(resources.endpoints, namespace, name);
    const isWanted = isService && !hasSelector(key) && endpoints !== undefined && isMirrored(endpoints);
    keepSlices(key, isWanted ? mirroredSlices(endpoints) : []);
  }

  store.watch(resources.services, (event) => {
    const before = event.type === "DELETED" ? undefined : event.previous;
    const isPlain = event.type !== "DELETED" && event.object.spec.selector && before?.spec.selector;
    if (!isPlain) queue.add(keyOf(event.object));
  });
  store.watch(resources.endpoints, ({ object }) => {
    if (!hasSelector(keyOf(object))) queue.add(keyOf(object));
  });
}
