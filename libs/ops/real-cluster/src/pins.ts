/**
 * What a real cluster is made of. All versions are of Go modules, and `sum.golang.org` checks what the proxy sends.
 * Kubernetes: the version that the embedded cluster claims to be, and a newer one.
 */
export const kubernetesVersions = ["1.31.4", "1.34.4"] as const;
/** A version without its `v`. */
export type KubernetesVersion = (typeof kubernetesVersions)[number];

/** The other programs of a cluster: their Go modules, and the packages of the programs in them. */
export const pins = {
  etcd: { module: "go.etcd.io/etcd/server/v3", version: "v3.5.21", packages: ["go.etcd.io/etcd/server/v3"] },
  coredns: {
    module: "github.com/coredns/coredns",
    version: "v1.11.3",
    packages: ["github.com/coredns/coredns"],
  },
  "metrics-server": {
    module: "sigs.k8s.io/metrics-server",
    version: "v0.7.2",
    packages: ["sigs.k8s.io/metrics-server/cmd/metrics-server"],
  },
  "local-path-provisioner": {
    module: "github.com/rancher/local-path-provisioner",
    version: "v0.0.30",
    packages: ["github.com/rancher/local-path-provisioner"],
  },
  k6: { module: "go.k6.io/k6", version: "v1.3.0", packages: ["go.k6.io/k6"] },
} as const;
