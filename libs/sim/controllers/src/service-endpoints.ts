import { controllerReference } from "@microremed/sim-component-base";
import { isReady, isTerminating, type KubeObject, type NewObject } from "@microremed/sim-objects";
import { servicePortsOf } from "./service-ports.ts";
import { listOrNull, managedByLabel, serviceNameLabel } from "./slice-keeper.ts";

/** The value of the label on slices of Services with a selector. */
export const sliceManager = "endpointslice-controller.k8s.io";

const showsAll = (service: KubeObject): boolean => Boolean(service.spec.publishNotReadyAddresses);

function addressOf(service: KubeObject, pod: KubeObject) {
  const { hostname, subdomain, nodeName } = pod.spec;
  const { namespace, name, uid } = pod.metadata;
  const named = hostname && subdomain === service.metadata.name;
  const targetRef = { kind: "Pod", namespace, name, uid };
  return { ip: pod.status.podIP, ...(named && { hostname }), nodeName, targetRef };
}

/** The Endpoints of a service over the pods that it selects: one subset for each set of port numbers. */
export function endpointsOf(
  service: KubeObject,
  pods: readonly KubeObject[],
): NewObject & { readonly subsets: readonly object[] | undefined } {
  const { namespace, name, labels } = service.metadata;
  const headless = service.spec.clusterIP === "None" ? { "service.kubernetes.io/headless": "" } : {};
  const subsets = subsetsOf(service, pods);
  return {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: { name, ...(namespace && { namespace }), labels: { ...labels, ...headless } },
    subsets: subsets.length > 0 ? subsets : undefined,
  };
}

function subsetsOf(service: KubeObject, pods: readonly KubeObject[]): readonly object[] {
  const all = showsAll(service);
  const byPorts = new Map<string, { ports: readonly object[]; ready: object[]; notReady: object[] }>();
  for (const pod of pods) {
    if (!all && isTerminating(pod)) continue;
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

/** An EndpointSlice of a service over pods with the same port numbers; pods that are leaving stay in it to the end. */
export function endpointSliceOf(
  service: KubeObject,
  pods: readonly KubeObject[],
  sliceName: string,
): NewObject & { readonly endpoints: readonly object[] | null; readonly ports: readonly object[] | null } {
  const { namespace, name, labels } = service.metadata;
  const [first] = pods;
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      name: sliceName,
      generateName: `${name}-`,
      ...(namespace && { namespace }),
      labels: {
        ...labels,
        [managedByLabel]: sliceManager,
        [serviceNameLabel]: name,
      },
      ownerReferences: [controllerReference(service)],
    },
    addressType: "IPv4",
    endpoints: listOrNull(pods.map((pod) => sliceEndpoint(service, pod))),
    ports: listOrNull((first ? servicePortsOf(service, first) : []).map((port) => ({ name: "", ...port }))),
  };
}

function sliceEndpoint(service: KubeObject, pod: KubeObject): object {
  const { ip, hostname, nodeName, targetRef } = addressOf(service, pod);
  const serving = isReady(pod);
  const terminating = isTerminating(pod);
  const conditions = { ready: showsAll(service) || (serving && !terminating), serving, terminating };
  return { addresses: [ip], conditions, ...(hostname && { hostname }), nodeName, targetRef };
}
