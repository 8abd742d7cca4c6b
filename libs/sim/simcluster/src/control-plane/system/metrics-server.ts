import type { NewObject } from "@microremed/sim-objects";
import { account, systemNamespace as namespace, object, reads, workload } from "./parts.ts";

const labels = { "k8s-app": "metrics-server" };
const probe = (path: string, initialDelaySeconds = 0) => ({
  httpGet: { path, port: "https", scheme: "HTTPS" },
  ...(initialDelaySeconds > 0 && { initialDelaySeconds }),
});

const pod = {
  priorityClassName: "system-cluster-critical",
  serviceAccountName: "metrics-server",
  nodeSelector: { "kubernetes.io/os": "linux" },
  containers: [
    {
      name: "metrics-server",
      image: "registry.k8s.io/metrics-server/metrics-server:v0.7.2",
      imagePullPolicy: "IfNotPresent",
      args: [
        "--cert-dir=/tmp",
        "--secure-port=10250",
        "--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname",
        "--kubelet-use-node-status-port",
        "--metric-resolution=15s",
      ],
      resources: { requests: { cpu: "100m", memory: "200Mi" } },
      ports: [{ name: "https", containerPort: 10250, protocol: "TCP" }],
      livenessProbe: probe("/livez"),
      readinessProbe: probe("/readyz", 20),
      securityContext: {
        ...{
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          runAsNonRoot: true,
          runAsUser: 1000,
        },
        capabilities: { drop: ["ALL"] },
        seccompProfile: { type: "RuntimeDefault" },
      },
      volumeMounts: [{ name: "tmp-dir", mountPath: "/tmp" }],
    },
  ],
  volumes: [{ name: "tmp-dir", emptyDir: {} }],
};

/** What measures pods and nodes, as its own project installs it. */
export const metricsServer: readonly NewObject[] = [
  ...account(namespace, "metrics-server", "system:metrics-server", [
    reads("", ["nodes/metrics"], ["get"]),
    reads("", ["pods", "nodes"]),
  ]),
  object(
    "v1 Service",
    { name: "metrics-server", namespace, labels },
    {
      spec: { selector: labels, ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: "https" }] },
    },
  ),
  workload("Deployment", { name: "metrics-server", namespace }, labels, {
    strategy: { rollingUpdate: { maxUnavailable: 0 } },
    pod,
  }),
];
