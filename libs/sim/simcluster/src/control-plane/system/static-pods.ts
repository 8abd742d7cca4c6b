import type { StaticPod } from "@microremed/sim-kubelet";
import { nodeSpecs } from "@microremed/sim-machine";
import { kubernetesVersion, systemNamespace as namespace } from "./parts.ts";

const controlPlane = nodeSpecs[0] ?? { name: "", ip: "" };
const { name: node, ip } = controlPlane;

interface Component {
  readonly name: string;
  readonly image: string;
  readonly flags: readonly string[];
  readonly requests: Readonly<Record<string, string>>;
  /** Address and port of its health pages, with what they are called. */
  readonly health: {
    readonly host: string;
    readonly port: number;
    readonly scheme: "HTTP" | "HTTPS";
    readonly live: string;
    readonly ready?: string;
  };
  /** Folders and files of the node that it needs, by the name of their volume. */
  readonly folders: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** As kubeadm writes it. */
function staticPod({ name, image, flags, requests, health, folders, annotations }: Component): StaticPod {
  const { host, port, scheme, live, ready } = health;
  const probe = (path: string, timing: object) => ({
    httpGet: { host, path, port, scheme },
    timeoutSeconds: 15,
    ...timing,
  });
  return {
    node,
    pod: {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name,
        namespace,
        labels: { component: name, tier: "control-plane" },
        ...(annotations && { annotations }),
      },
      spec: {
        priorityClassName: "system-node-critical",
        hostNetwork: true,
        securityContext: { seccompProfile: { type: "RuntimeDefault" } },
        containers: [
          {
            name,
            image: `registry.k8s.io/${image}`,
            imagePullPolicy: "IfNotPresent",
            command: [name, ...flags],
            resources: { requests },
            livenessProbe: probe(live, { initialDelaySeconds: 10, periodSeconds: 10, failureThreshold: 8 }),
            ...(ready !== undefined && {
              readinessProbe: probe(ready, { periodSeconds: 1, failureThreshold: 3 }),
            }),
            startupProbe: probe(ready ?? live, {
              ...{ initialDelaySeconds: 10, periodSeconds: 10, failureThreshold: 24 },
            }),
            volumeMounts: Object.entries(folders).map(([volume, mountPath]) => ({ name: volume, mountPath })),
          },
        ],
        volumes: Object.entries(folders).map(([volume, path]) => ({
          name: volume,
          hostPath: { path, type: path.endsWith(".conf") ? "FileOrCreate" : "DirectoryOrCreate" },
        })),
      },
    },
  };
}

const certificates = { "k8s-certs": "/etc/kubernetes/pki" };
const kubeconfig = (name: string): readonly string[] => [
  `--kubeconfig=/etc/kubernetes/${name}.conf`,
  "--leader-elect=true",
];

/** The control plane, which runs on the first node. */
export const staticPods: readonly StaticPod[] = [
  staticPod({
    name: "etcd",
    image: "etcd:3.5.15-0",
    flags: [`--advertise-client-urls=https://${ip}:2379`, "--data-dir=/var/lib/etcd"],
    requests: { cpu: "100m", memory: "100Mi" },
    health: { host: "127.0.0.1", port: 2381, scheme: "HTTP", live: "/livez", ready: "/readyz" },
    folders: { "etcd-certs": "/etc/kubernetes/pki/etcd", "etcd-data": "/var/lib/etcd" },
    annotations: { "kubeadm.kubernetes.io/etcd.advertise-client-urls": `https://${ip}:2379` },
  }),
  staticPod({
    name: "kube-apiserver",
    image: `kube-apiserver:${kubernetesVersion}`,
    flags: [
      ...[`--advertise-address=${ip}`, "--allow-privileged=true", "--authorization-mode=Node,RBAC"],
      ...["--secure-port=6443", "--service-cluster-ip-range=10.96.0.0/12"],
    ],
    requests: { cpu: "250m" },
    health: { host: ip, port: 6443, scheme: "HTTPS", live: "/livez", ready: "/readyz" },
    folders: certificates,
    annotations: { "kubeadm.kubernetes.io/kube-apiserver.advertise-address.endpoint": `${ip}:6443` },
  }),
  staticPod({
    name: "kube-controller-manager",
    image: `kube-controller-manager:${kubernetesVersion}`,
    flags: [
      ...kubeconfig("controller-manager"),
      "--cluster-cidr=10.244.0.0/16",
      "--allocate-node-cidrs=true",
    ],
    requests: { cpu: "200m" },
    health: { host: "127.0.0.1", port: 10257, scheme: "HTTPS", live: "/healthz" },
    folders: { ...certificates, kubeconfig: "/etc/kubernetes/controller-manager.conf" },
  }),
  staticPod({
    name: "kube-scheduler",
    image: `kube-scheduler:${kubernetesVersion}`,
    flags: kubeconfig("scheduler"),
    requests: { cpu: "100m" },
    health: { host: "127.0.0.1", port: 10259, scheme: "HTTPS", live: "/healthz" },
    folders: { kubeconfig: "/etc/kubernetes/scheduler.conf" },
  }),
];
