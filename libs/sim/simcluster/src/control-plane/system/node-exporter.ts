import type { NewObject } from "@microremed/sim-objects";
import { systemNamespace as namespace, object, workload } from "./parts.ts";

const name = "prometheus-node-exporter";

const pod = {
  priorityClassName: "system-node-critical",
  serviceAccountName: name,
  automountServiceAccountToken: false,
  hostNetwork: true,
  hostPID: true,
  nodeSelector: { "kubernetes.io/os": "linux" },
  securityContext: { fsGroup: 65534, runAsGroup: 65534, runAsNonRoot: true, runAsUser: 65534 },
  tolerations: [{ effect: "NoSchedule", operator: "Exists" }],
  containers: [
    {
      name: "node-exporter",
      image: "quay.io/prometheus/node-exporter:v1.8.2",
      imagePullPolicy: "IfNotPresent",
      args: ["--path.procfs=/host/proc", "--path.sysfs=/host/sys", "--web.listen-address=[$(HOST_IP)]:9100"],
      env: [{ name: "HOST_IP", value: "0.0.0.0" }],
      ports: [{ name: "metrics", containerPort: 9100, hostPort: 9100, protocol: "TCP" }],
      volumeMounts: [
        { name: "proc", mountPath: "/host/proc", readOnly: true },
        { name: "sys", mountPath: "/host/sys", readOnly: true },
      ],
    },
  ],
  volumes: [
    { name: "proc", hostPath: { path: "/proc" } },
    { name: "sys", hostPath: { path: "/sys" } },
  ],
};

/** What measures every node for a Prometheus, at port 9100 of the node, as its chart installs it. */
export const nodeExporter: readonly NewObject[] = [
  object("v1 ServiceAccount", { name, namespace }),
  workload("DaemonSet", { name, namespace }, { "app.kubernetes.io/name": name }, { pod }),
];
