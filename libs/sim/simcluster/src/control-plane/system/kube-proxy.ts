import type { NewObject } from "@microremed/sim-objects";
import {
  account,
  kubernetesVersion,
  systemNamespace as namespace,
  object,
  reads,
  workload,
} from "./parts.ts";

const config = `apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
bindAddress: 0.0.0.0
clientConnection:
  kubeconfig: /var/lib/kube-proxy/kubeconfig.conf
clusterCIDR: 10.244.0.0/16
mode: ""
`;

const pod = {
  priorityClassName: "system-node-critical",
  serviceAccountName: "kube-proxy",
  hostNetwork: true,
  nodeSelector: { "kubernetes.io/os": "linux" },
  tolerations: [{ operator: "Exists" }],
  containers: [
    {
      name: "kube-proxy",
      image: `registry.k8s.io/kube-proxy:${kubernetesVersion}`,
      imagePullPolicy: "IfNotPresent",
      command: [
        "/usr/local/bin/kube-proxy",
        "--config=/var/lib/kube-proxy/config.conf",
        "--hostname-override=$(NODE_NAME)",
      ],
      env: [{ name: "NODE_NAME", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "spec.nodeName" } } }],
      securityContext: { privileged: true },
      volumeMounts: [
        { name: "kube-proxy", mountPath: "/var/lib/kube-proxy" },
        { name: "xtables-lock", mountPath: "/run/xtables.lock" },
        { name: "lib-modules", mountPath: "/lib/modules", readOnly: true },
      ],
    },
  ],
  volumes: [
    { name: "kube-proxy", configMap: { name: "kube-proxy" } },
    { name: "xtables-lock", hostPath: { path: "/run/xtables.lock", type: "FileOrCreate" } },
    { name: "lib-modules", hostPath: { path: "/lib/modules" } },
  ],
};

/** What leads Services' addresses to their pods, on every node, as kubeadm installs it. */
export const kubeProxy: readonly NewObject[] = [
  ...account(namespace, "kube-proxy", "system:node-proxier", [
    reads("", ["nodes"]),
    reads("", ["services", "endpoints"], ["list", "watch"]),
    reads("discovery.k8s.io", ["endpointslices"], ["list", "watch"]),
  ]),
  object(
    "v1 ConfigMap",
    { name: "kube-proxy", namespace, labels: { app: "kube-proxy" } },
    { data: { "config.conf": config } },
  ),
  workload(
    "DaemonSet",
    { name: "kube-proxy", namespace },
    { "k8s-app": "kube-proxy" },
    {
      updateStrategy: { type: "RollingUpdate" },
      pod,
    },
  ),
];
