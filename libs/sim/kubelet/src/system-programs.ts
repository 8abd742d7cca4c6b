import type { Behaviour } from "@microremed/environments";

interface Own {
  readonly listens: readonly number[];
  readonly paths?: readonly string[];
  readonly idleCpuMillicores: number;
  readonly memoryMi: number;
}

/** One process in an image with nothing else. */
const component = ({ paths = [], listens, ...use }: Own): Behaviour => ({
  runtime: "go",
  startupCpuSeconds: 0.1,
  cpuMillisPerRequest: 0.1,
  memoryMiPerConcurrentRequest: 0.1,
  writesPerRequest: {},
  concurrency: 256,
  tools: [],
  shell: "none",
  listens: [...listens],
  paths: [...paths],
  ...use,
});

const health = ["/livez", "/readyz", "/healthz", "/metrics"];

/** What a cluster itself consists of: program and behaviour, by repository. The use is that of a quiet small cluster. */
export const systemPrograms: Readonly<
  Record<string, { readonly program: string; readonly behaviour: Behaviour }>
> = {
  "registry.k8s.io/coredns/coredns": {
    program: "coredns",
    behaviour: component({
      listens: [53, 8080, 8181, 9153],
      paths: ["/health", "/ready", "/metrics"],
      idleCpuMillicores: 2,
      memoryMi: 15,
    }),
  },
  "registry.k8s.io/etcd": {
    program: "etcd",
    behaviour: component({
      listens: [2379, 2380, 2381],
      paths: [...health, "/health"],
      idleCpuMillicores: 15,
      memoryMi: 45,
    }),
  },
  "registry.k8s.io/kube-apiserver": {
    program: "kube-apiserver",
    behaviour: component({ listens: [6443], paths: health, idleCpuMillicores: 35, memoryMi: 230 }),
  },
  "registry.k8s.io/kube-controller-manager": {
    program: "kube-controller-manager",
    behaviour: component({ listens: [10257], paths: health, idleCpuMillicores: 12, memoryMi: 50 }),
  },
  "registry.k8s.io/kube-proxy": {
    program: "kube-proxy",
    behaviour: component({ listens: [10249, 10256], paths: health, idleCpuMillicores: 1, memoryMi: 18 }),
  },
  "registry.k8s.io/kube-scheduler": {
    program: "kube-scheduler",
    behaviour: component({ listens: [10259], paths: health, idleCpuMillicores: 3, memoryMi: 22 }),
  },
  "registry.k8s.io/metrics-server/metrics-server": {
    program: "metrics-server",
    behaviour: component({ listens: [10250], paths: health, idleCpuMillicores: 3, memoryMi: 20 }),
  },
  "quay.io/prometheus/node-exporter": {
    program: "node_exporter",
    behaviour: component({ listens: [9100], paths: ["/metrics"], idleCpuMillicores: 1, memoryMi: 10 }),
  },
  "docker.io/rancher/local-path-provisioner": {
    program: "local-path-provisioner",
    behaviour: component({ listens: [], idleCpuMillicores: 1, memoryMi: 12 }),
  },
  "ghcr.io/chaos-mesh/chaos-mesh": {
    program: "chaos-controller-manager",
    behaviour: component({
      listens: [10250, 10080, 10081],
      paths: ["/healthz", "/readyz", "/metrics"],
      idleCpuMillicores: 4,
      memoryMi: 40,
    }),
  },
  "ghcr.io/chaos-mesh/chaos-daemon": {
    program: "chaos-daemon",
    behaviour: component({
      listens: [31766, 31767],
      paths: ["/metrics"],
      idleCpuMillicores: 1,
      memoryMi: 20,
    }),
  },
};
