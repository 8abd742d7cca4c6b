import { clusterDns } from "@microremed/sim-machine";
import type { NewObject } from "@microremed/sim-objects";
import { account, systemNamespace as namespace, object, reads, workload } from "./parts.ts";

const labels = { "k8s-app": "kube-dns" };
const corefile = `.:53 {
    errors
    health {
       lameduck 5s
    }
    ready
    kubernetes cluster.local in-addr.arpa ip6.arpa {
       pods insecure
       fallthrough in-addr.arpa ip6.arpa
       ttl 30
    }
    prometheus :9153
    forward . /etc/resolv.conf {
       max_concurrent 1000
    }
    cache 30 {
       disable success cluster.local
       disable denial cluster.local
    }
    loop
    reload
    loadbalance
}
`;

const pod = {
  priorityClassName: "system-cluster-critical",
  serviceAccountName: "coredns",
  dnsPolicy: "Default",
  nodeSelector: { "kubernetes.io/os": "linux" },
  tolerations: [
    { key: "CriticalAddonsOnly", operator: "Exists" },
    { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" },
  ],
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          weight: 100,
          podAffinityTerm: {
            labelSelector: { matchExpressions: [{ key: "k8s-app", operator: "In", values: ["kube-dns"] }] },
            topologyKey: "kubernetes.io/hostname",
          },
        },
      ],
    },
  },
  containers: [
    {
      name: "coredns",
      image: "registry.k8s.io/coredns/coredns:v1.11.3",
      imagePullPolicy: "IfNotPresent",
      args: ["-conf", "/etc/coredns/Corefile"],
      resources: { limits: { memory: "170Mi" }, requests: { cpu: "100m", memory: "70Mi" } },
      ports: [
        { name: "dns", containerPort: 53, protocol: "UDP" },
        { name: "dns-tcp", containerPort: 53, protocol: "TCP" },
        { name: "metrics", containerPort: 9153, protocol: "TCP" },
      ],
      livenessProbe: {
        httpGet: { path: "/health", port: 8080, scheme: "HTTP" },
        ...{ initialDelaySeconds: 60, timeoutSeconds: 5, successThreshold: 1, failureThreshold: 5 },
      },
      readinessProbe: { httpGet: { path: "/ready", port: 8181, scheme: "HTTP" } },
      securityContext: {
        allowPrivilegeEscalation: false,
        capabilities: { add: ["NET_BIND_SERVICE"], drop: ["ALL"] },
        readOnlyRootFilesystem: true,
      },
      volumeMounts: [{ name: "config-volume", mountPath: "/etc/coredns", readOnly: true }],
    },
  ],
  volumes: [
    { name: "config-volume", configMap: { name: "coredns", items: [{ key: "Corefile", path: "Corefile" }] } },
  ],
};

/** The cluster's name server, as kubeadm installs it. */
export const nameServer: readonly NewObject[] = [
  ...account(namespace, "coredns", "system:coredns", [
    reads("", ["endpoints", "services", "pods", "namespaces"], ["list", "watch"]),
    reads("discovery.k8s.io", ["endpointslices"], ["list", "watch"]),
  ]),
  object("v1 ConfigMap", { name: "coredns", namespace }, { data: { Corefile: corefile } }),
  object(
    "v1 Service",
    {
      name: "kube-dns",
      namespace,
      labels: { ...labels, "kubernetes.io/cluster-service": "true", "kubernetes.io/name": "CoreDNS" },
      annotations: { "prometheus.io/port": "9153", "prometheus.io/scrape": "true" },
    },
    {
      spec: {
        clusterIP: clusterDns,
        selector: labels,
        ports: [
          { name: "dns", port: 53, protocol: "UDP", targetPort: 53 },
          { name: "dns-tcp", port: 53, protocol: "TCP", targetPort: 53 },
          { name: "metrics", port: 9153, protocol: "TCP", targetPort: 9153 },
        ],
      },
    },
  ),
  workload("Deployment", { name: "coredns", namespace }, labels, {
    replicas: 2,
    strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1 } },
    pod,
  }),
];
