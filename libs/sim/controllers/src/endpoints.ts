import { holdsLabels } from "@microremed/kube-rules";
import { type ControllerContext, createWorkQueue } from "@microremed/sim-component-base";
import {
  isFinished,
  isReady,
  isTerminating,
  type KubeObject,
  keyOf,
  randomSuffix,
  resources,
  splitKey,
} from "@microremed/sim-objects";
import type { WatchEvent } from "@microremed/sim-store";
import { endpointSliceOf, endpointsOf } from "./service-endpoints.ts";

/** What of a pod matters to the services that select it. */
function fingerprint(pod: KubeObject): string {
  const { labels, deletionTimestamp } = pod.metadata;
  const { podIP, phase } = pod.status ?? {};
  return JSON.stringify([labels, podIP, phase, isReady(pod), deletionTimestamp !== undefined]);
}

/** Keeps Endpoints and one EndpointSlice per service that has a selector: the pods that it sends requests to. */
export function startEndpointsController(ctx: ControllerContext): void {
  const { store, loop } = ctx;
  const rng = ctx.rng.fork("endpoints");
  const queue = createWorkQueue({ ...ctx, name: "endpoints", delayMs: 8 }, reconcile);
  const podsByNamespace = loop.keep(new Map<string, Map<string, KubeObject>>());
  const servicesByNamespace = loop.keep(new Map<string, Map<string, KubeObject>>());
  const sliceNames = loop.keep(new Map<string, string>());

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

  function writeSlice(service: KubeObject, pods: readonly KubeObject[]): void {
    const { namespace, name } = service.metadata;
    const key = keyOf(service);
    const sliceName = sliceNames.get(key) ?? `${name}-${randomSuffix(rng)}`;
    sliceNames.set(key, sliceName);
    const old = store.get(resources.endpointSlices, namespace, sliceName);
    const wanted = endpointSliceOf(service, pods, sliceName);
    if (!old) store.create(resources.endpointSlices, wanted);
    else store.update(resources.endpointSlices, { ...old, endpoints: wanted.endpoints, ports: wanted.ports });
  }

  function reconcile(key: string): void {
    const [namespace, name] = splitKey(key);
    const service = store.get(resources.services, namespace, name);
    if (!service) {
      sliceNames.delete(key);
      if (store.get(resources.endpoints, namespace, name)) store.delete(resources.endpoints, namespace, name);
      return;
    }
    if (!service.spec.selector || isTerminating(service)) return;
    const pods = selected(service);
    writeEndpoints(service, pods);
    writeSlice(service, pods);
  }

  store.watch(resources.services, (event) => {
    keep(servicesByNamespace, event);
    queue.add(keyOf(event.object));
  });
  store.watch(resources.pods, onPod);
  store.watch(resources.endpoints, (event) => {
    if (event.type === "DELETED") queue.add(keyOf(event.object));
  });
  store.watch(resources.endpointSlices, (event) => {
    const service = event.object.metadata.labels?.["kubernetes.io/service-name"];
    if (event.type === "DELETED" && service) queue.add(`${event.object.metadata.namespace}/${service}`);
  });
}
