import { holdsLabels } from "@microremed/kube-rules";
import { type ControllerContext, controllerReference, createWorkQueue } from "@microremed/sim-component-base";
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
import { servicePortsOf } from "./service-ports.ts";

const serviceNameLabel = "kubernetes.io/service-name";

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

  const targetOf = (pod: KubeObject) => ({
    kind: "Pod",
    namespace: pod.metadata.namespace,
    name: pod.metadata.name,
    uid: pod.metadata.uid,
  });

  function addressOf(service: KubeObject, pod: KubeObject) {
    const { hostname, subdomain, nodeName } = pod.spec;
    const named = hostname && subdomain === service.metadata.name;
    return { ip: pod.status.podIP, ...(named && { hostname }), nodeName, targetRef: targetOf(pod) };
  }

  function endpointsOf(service: KubeObject, pods: readonly KubeObject[]): readonly object[] {
    const all = Boolean(service.spec.publishNotReadyAddresses);
    const live = pods.filter((pod) => all || !isTerminating(pod));
    const byPorts = new Map<string, { ports: readonly object[]; ready: object[]; notReady: object[] }>();
    for (const pod of live) {
      const ports = servicePortsOf(service, pod);
      if (ports.length === 0 && service.spec.clusterIP !== "None") continue;
      const key = JSON.stringify(ports);
      const subset = byPorts.get(key) ?? { ports, ready: [], notReady: [] };
      byPorts.set(key, subset);
      (all || isReady(pod) ? subset.ready : subset.notReady).push(addressOf(service, pod));
    }
    return [...byPorts.values()].map(({ ports, ready, notReady }) => ({
      ...(ready.length > 0 && { addresses: ready }),
      ...(notReady.length > 0 && { notReadyAddresses: notReady }),
      ...(ports.length > 0 && { ports }),
    }));
  }

  function writeEndpoints(service: KubeObject, pods: readonly KubeObject[]): void {
    const { namespace, name, labels } = service.metadata;
    const subsets = endpointsOf(service, pods);
    const headless = service.spec.clusterIP === "None" ? { "service.kubernetes.io/headless": "" } : {};
    const wanted = { subsets: subsets.length > 0 ? subsets : undefined };
    const old = store.get(resources.endpoints, namespace, name);
    if (old) {
      store.update(resources.endpoints, { ...old, ...wanted });
      return;
    }
    store.create(resources.endpoints, {
      apiVersion: "v1",
      kind: "Endpoints",
      metadata: { name, ...(namespace && { namespace }), labels: { ...labels, ...headless } },
      ...wanted,
    });
  }

  function writeSlice(service: KubeObject, pods: readonly KubeObject[]): void {
    const { namespace, name, labels } = service.metadata;
    const all = Boolean(service.spec.publishNotReadyAddresses);
    const endpoints = pods.map((pod) => {
      const { ip, hostname, nodeName, targetRef } = addressOf(service, pod);
      const ready = isReady(pod);
      const terminating = isTerminating(pod);
      const conditions = { ready: all || (ready && !terminating), serving: ready, terminating };
      return { addresses: [ip], conditions, ...(hostname && { hostname }), nodeName, targetRef };
    });
    const first = pods[0];
    const ports = (first ? servicePortsOf(service, first) : []).map((port) => ({ name: "", ...port }));
    const key = keyOf(service);
    const sliceName = sliceNames.get(key) ?? `${name}-${randomSuffix(rng)}`;
    sliceNames.set(key, sliceName);
    const old = store.get(resources.endpointSlices, namespace, sliceName);
    if (old) {
      store.update(resources.endpointSlices, { ...old, endpoints, ports });
      return;
    }
    store.create(resources.endpointSlices, {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: {
        name: sliceName,
        generateName: `${name}-`,
        ...(namespace && { namespace }),
        labels: {
          ...labels,
          "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
          [serviceNameLabel]: name,
        },
        ownerReferences: [controllerReference(service)],
      },
      addressType: "IPv4",
      endpoints,
      ports,
    });
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
}
