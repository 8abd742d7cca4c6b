import { holdsLabels } from "@microremed/kube-rules";
import { type ControllerContext, createWorkQueue } from "@microremed/sim-component-base";
import {
  isFinished,
  isReady,
  isTerminating,
  type KubeObject,
  keyOf,
  resources,
  splitKey,
} from "@microremed/sim-objects";
import type { WatchEvent } from "@microremed/sim-store";
import { endpointSliceOf, endpointsOf, sliceManager } from "./service-endpoints.ts";
import { servicePortsOf } from "./service-ports.ts";
import { createSliceKeeper } from "./slice-keeper.ts";

/** What of a pod matters to the services that select it. */
function fingerprint(pod: KubeObject): string {
  const { labels, deletionTimestamp } = pod.metadata;
  const { podIP, phase } = pod.status ?? {};
  return JSON.stringify([labels, podIP, phase, isReady(pod), deletionTimestamp !== undefined]);
}

/**
 * Keeps the Endpoints and the EndpointSlices of each service that has a selector: the pods that it sends requests to.
 * Endpoints that a client changes stay so until a pod of the service changes; a slice is put right at once.
 */
export function startEndpointsController(ctx: ControllerContext): void {
  const { store, loop } = ctx;
  const rng = ctx.rng.fork("endpoints");
  const queue = createWorkQueue({ ...ctx, name: "endpoints", delayMs: 8 }, reconcile);
  const podsByNamespace = loop.keep(new Map<string, Map<string, KubeObject>>());
  const servicesByNamespace = loop.keep(new Map<string, Map<string, KubeObject>>());
  const keepSlices = createSliceKeeper(
    { ...ctx, rng },
    { manager: sliceManager, onForeignChange: (key) => queue.add(key) },
  );

  function keep(map: Map<string, Map<string, KubeObject>>, event: WatchEvent): void {
    const namespace = event.object.metadata.namespace ?? "";
    const group = map.get(namespace) ?? loop.keep(new Map<string, KubeObject>());
    map.set(namespace, group);
    if (event.type === "DELETED") group.delete(event.object.metadata.uid);
    else group.set(event.object.metadata.uid, event.object);
  }

  function onPod(event: WatchEvent): void {
    keep(podsByNamespace, event);
    const { object } = event;
    const previous = event.type === "DELETED" ? undefined : event.previous;
    if (previous && fingerprint(previous) === fingerprint(object)) return;
    for (const service of servicesByNamespace.get(object.metadata.namespace ?? "")?.values() ?? []) {
      const { selector } = service.spec;
      if (!selector) continue;
      const selects = (pod: KubeObject | undefined): boolean => holdsLabels(pod?.metadata.labels, selector);
      if (selects(object) || (previous && selects(previous))) queue.add(keyOf(service));
    }
  }

  function selected(service: KubeObject): readonly KubeObject[] {
    const pods = [...(podsByNamespace.get(service.metadata.namespace ?? "")?.values() ?? [])];
    return pods
      .filter(
        (pod) =>
          pod.status?.podIP && !isFinished(pod) && holdsLabels(pod.metadata.labels, service.spec.selector),
      )
      .sort((a, b) => (a.status.podIP < b.status.podIP ? -1 : 1));
  }

  function writeEndpoints(service: KubeObject, pods: readonly KubeObject[]): void {
    const { namespace, name } = service.metadata;
    const wanted = endpointsOf(service, pods);
    const old = store.get(resources.endpoints, namespace, name);
    if (old) {
      store.update(resources.endpoints, { ...old, subsets: wanted.subsets });
      return;
    }
    store.create(resources.endpoints, wanted);
  }

  function writeSlices(service: KubeObject, pods: readonly KubeObject[]): void {
    const groups = Map.groupBy(pods, (pod) => JSON.stringify(servicePortsOf(service, pod)));
    const wanted = groups.size > 0 ? [...groups.values()] : [[]];
    keepSlices(
      keyOf(service),
      wanted.map((some) => (name) => endpointSliceOf(service, some, name)),
    );
  }

  function reconcile(key: string): void {
    const [namespace, name] = splitKey(key);
    const service = store.get(resources.services, namespace, name);
    if (!service) {
      if (store.get(resources.endpoints, namespace, name)) store.delete(resources.endpoints, namespace, name);
      return;
    }
    if (!service.spec.selector || isTerminating(service)) return;
    const pods = selected(service);
    writeEndpoints(service, pods);
    writeSlices(service, pods);
  }

  store.watch(resources.services, (event) => {
    keep(servicesByNamespace, event);
    queue.add(keyOf(event.object));
  });
  store.watch(resources.pods, onPod);
  store.watch(resources.endpoints, (event) => {
    if (event.type === "DELETED") queue.add(keyOf(event.object));
  });
}
