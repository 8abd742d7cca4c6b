import { type NodeSpec, nodeSpecs } from "@microremed/sim-machine";
import type { NewObject } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";

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
