import { createDefaulted } from "@microremed/sim-component-base";
import { defaultStorageClass } from "@microremed/sim-controllers";
import { allocateService } from "@microremed/sim-kinds";
import { nodeObject } from "@microremed/sim-kubelet";
import { nodeSpecs } from "@microremed/sim-machine";
import { type NewObject, type ResourceRef, resources } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { historyServiceObject, jaegerNamespaceObject, jaegerServiceObject } from "@microremed/sim-telemetry";
import type { EventLoop } from "@microremed/sim-time";

const priorityClass = (name: string, value: number, description: string): NewObject => ({
  apiVersion: "scheduling.k8s.io/v1",
  kind: "PriorityClass",
  metadata: { name },
  value,
  preemptionPolicy: "PreemptLowerPriority",
  description,
});

const apiServerPort = { name: "https", port: 6443, protocol: "TCP" };

/** What a new cluster has besides the API server's own objects: nodes, a storage class, priority classes, Jaeger's service. */
export function createDefaultObjects(store: Store, loop: EventLoop): void {
  const create = (resource: ResourceRef, object: NewObject): void => {
    createDefaulted(store, resource, object);
  };
  for (const { name } of nodeSpecs) {
    const node = nodeObject(name, loop.now());
    if (node) create(resources.nodes, node);
  }
  create(resources.storageClasses, {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: {
      name: defaultStorageClass,
      annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
    },
    provisioner: "rancher.io/local-path",
    reclaimPolicy: "Delete",
    volumeBindingMode: "Immediate",
    allowVolumeExpansion: false,
  });
  create(
    resources.priorityClasses,
    priorityClass(
      "system-cluster-critical",
      2_000_000_000,
      "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
    ),
  );
  create(
    resources.priorityClasses,
    priorityClass(
      "system-node-critical",
      2_000_001_000,
      "Used for system critical pods that must not be moved from their current node.",
    ),
  );
  create(resources.namespaces, jaegerNamespaceObject);
  create(resources.services, allocateService(store, jaegerServiceObject, undefined));
  create(resources.services, allocateService(store, historyServiceObject, undefined));
  create(resources.endpoints, {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: {
      name: "kubernetes",
      namespace: "default",
      labels: { "endpointslice.kubernetes.io/skip-mirror": "true" },
    },
    subsets: [{ addresses: [{ ip: nodeSpecs[0]?.ip }], ports: [apiServerPort] }],
  });
  // The API server keeps both itself.
  create(resources.endpointSlices, {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      name: "kubernetes",
      namespace: "default",
      labels: { "kubernetes.io/service-name": "kubernetes" },
    },
    addressType: "IPv4",
    endpoints: [{ addresses: [nodeSpecs[0]?.ip], conditions: { ready: true } }],
    ports: [apiServerPort],
  });
}
