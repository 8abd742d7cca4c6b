import { allocateService } from "./api/defaults/allocate-service.ts";
import { createDefaulted } from "./controllers/create-defaulted.ts";
import { defaultStorageClass } from "./controllers/volume-claims.ts";
import type { EventLoop } from "./event-loop.types.ts";
import type { NewObject, ResourceRef } from "./objects.ts";
import { resources } from "./resources.ts";
import { rfc3339 } from "./store/rfc3339.ts";
import type { Store } from "./store.types.ts";
import { jaegerNamespaceObject, jaegerServiceObject } from "./traces/jaeger-service.ts";

export interface NodeSpec {
  readonly name: string;
  readonly ip: string;
  /** First three bytes of its pods' addresses. */
  readonly podPrefix: string;
  readonly cores: number;
  readonly memoryGi: number;
}

/** The simulated cluster's nodes: together room for train-ticket with a rolling update of every workload. */
export const nodeSpecs: readonly NodeSpec[] = [1, 2, 3].map((number) => ({
  name: `node-${number}`,
  ip: `192.168.10.${10 + number}`,
  podPrefix: `10.244.${number}`,
  cores: 16,
  memoryGi: 64,
}));

const kubeVersion = "v1.31.4";

function hexOf(text: string, length: number): string {
  let hash = 7;
  let digits = "";
  while (digits.length < length) {
    for (const char of text) hash = (Math.imul(hash, 31) + char.charCodeAt(0)) >>> 0;
    digits += hash.toString(16).padStart(8, "0");
  }
  return digits.slice(0, length);
}

function uuidOf(text: string): string {
  const hex = hexOf(text, 32);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

function node(spec: NodeSpec, isControlPlane: boolean, now: number): NewObject {
  const { name, ip, cores, memoryGi } = spec;
  const at = rfc3339(now);
  const condition = (type: string, status: string, reason: string, message: string) => ({
    type,
    status,
    lastHeartbeatTime: at,
    lastTransitionTime: at,
    reason,
    message,
  });
  const capacity = {
    cpu: String(cores),
    "ephemeral-storage": "209611756Ki",
    "hugepages-1Gi": "0",
    "hugepages-2Mi": "0",
    memory: `${memoryGi * 1024 * 1024}Ki`,
    pods: "110",
  };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: {
        "beta.kubernetes.io/arch": "amd64",
        "beta.kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        ...(isControlPlane && { "node-role.kubernetes.io/control-plane": "" }),
      },
      annotations: { "node.alpha.kubernetes.io/ttl": "0" },
    },
    spec: { podCIDR: `${spec.podPrefix}.0/24`, podCIDRs: [`${spec.podPrefix}.0/24`] },
    status: {
      capacity,
      allocatable: capacity,
      conditions: [
        condition(
          "MemoryPressure",
          "False",
          "KubeletHasSufficientMemory",
          "kubelet has sufficient memory available",
        ),
        condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
        condition("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
        condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
      ],
      addresses: [
        { type: "InternalIP", address: ip },
        { type: "Hostname", address: name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: {
        machineID: hexOf(`machine/${name}`, 32),
        systemUUID: uuidOf(`system/${name}`),
        bootID: uuidOf(`boot/${name}`),
        kernelVersion: "6.1.0-28-amd64",
        osImage: "Debian GNU/Linux 12 (bookworm)",
        containerRuntimeVersion: "containerd://1.7.24",
        kubeletVersion: kubeVersion,
        kubeProxyVersion: kubeVersion,
        operatingSystem: "linux",
        architecture: "amd64",
      },
    },
  };
}

/** What the kubelet of a machine registers it as; undefined when there is no such machine. */
export function nodeObject(name: string, now: number): NewObject | undefined {
  const index = nodeSpecs.findIndex((spec) => spec.name === name);
  const spec = nodeSpecs[index];
  return spec && node(spec, index === 0, now);
}

const priorityClass = (name: string, value: number, description: string): NewObject => ({
  apiVersion: "scheduling.k8s.io/v1",
  kind: "PriorityClass",
  metadata: { name },
  value,
  preemptionPolicy: "PreemptLowerPriority",
  description,
});

/** What a new cluster has besides the API server's own objects: nodes, a storage class, priority classes, Jaeger's service. */
export function createDefaultObjects(store: Store, loop: EventLoop): void {
  const create = (resource: ResourceRef, object: NewObject): void => {
    createDefaulted(store, resource, object);
  };
  for (const [index, spec] of nodeSpecs.entries())
    create(resources.nodes, node(spec, index === 0, loop.now()));
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
  create(resources.endpoints, {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: { name: "kubernetes", namespace: "default" },
    subsets: [
      { addresses: [{ ip: nodeSpecs[0]?.ip }], ports: [{ name: "https", port: 6443, protocol: "TCP" }] },
    ],
  });
}
