/** The fields of a node that determine its container runtime's socket. */
export interface NodeInfo {
  /** `containerd://1.7.22`. */
  readonly containerRuntimeVersion: string;
  /** `v1.31.4+k3s1`. */
  readonly kubeletVersion: string;
}

/** Chaos Mesh's values `chaosDaemon.runtime` and `chaosDaemon.socketPath`. */
export interface Runtime {
  readonly runtime: "containerd" | "docker" | "crio";
  readonly socketPath: string;
}

/** Where chaos-daemon finds the runtime of a node; undefined for one that Chaos Mesh does not know. */
export function runtimeOf({ containerRuntimeVersion, kubeletVersion }: NodeInfo): Runtime | undefined {
  const name = containerRuntimeVersion.split("://")[0];
  if (name === "docker") return { runtime: "docker", socketPath: "/var/run/docker.sock" };
  if (name === "cri-o") return { runtime: "crio", socketPath: "/var/run/crio/crio.sock" };
  if (name !== "containerd") return undefined;
  if (/\+(k3s|rke2)/.test(kubeletVersion))
    return { runtime: "containerd", socketPath: "/run/k3s/containerd/containerd.sock" };
  return { runtime: "containerd", socketPath: "/run/containerd/containerd.sock" };
}
