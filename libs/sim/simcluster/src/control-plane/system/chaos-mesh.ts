import type { NewObject } from "@microremed/sim-objects";
import { object, workload } from "./parts.ts";

const namespace = "chaos-mesh";
/** Its kinds are served as of this version. */
const version = "2.7.3";
const part = (component: string) => ({
  "app.kubernetes.io/name": "chaos-mesh",
  "app.kubernetes.io/instance": "chaos-mesh",
  "app.kubernetes.io/component": component,
});
const made = {
  "app.kubernetes.io/managed-by": "Helm",
  "app.kubernetes.io/part-of": "chaos-mesh",
  "app.kubernetes.io/version": version,
};

const manager = {
  serviceAccountName: "chaos-controller-manager",
  containers: [
    {
      name: "chaos-mesh",
      image: `ghcr.io/chaos-mesh/chaos-mesh:v${version}`,
      imagePullPolicy: "IfNotPresent",
      command: ["/usr/local/bin/chaos-controller-manager"],
      resources: { requests: { cpu: "25m", memory: "256Mi" } },
      ports: [
        { name: "webhook", containerPort: 10250 },
        { name: "http", containerPort: 10080 },
        { name: "pprof", containerPort: 10081 },
      ],
    },
  ],
};

const daemon = {
  serviceAccountName: "chaos-daemon",
  hostPID: true,
  containers: [
    {
      name: "chaos-daemon",
      image: `ghcr.io/chaos-mesh/chaos-daemon:v${version}`,
      imagePullPolicy: "IfNotPresent",
      command: [
        ...[
          "/usr/local/bin/chaos-daemon",
          "--runtime",
          "containerd",
          "--http-port",
          "31766",
          "--grpc-port",
          "31767",
        ],
        ...["--runtime-socket-path", "/host-run/containerd.sock"],
      ],
      ports: [
        { name: "grpc", containerPort: 31767 },
        { name: "http", containerPort: 31766 },
      ],
      securityContext: { privileged: true },
      volumeMounts: [
        { name: "socket-path", mountPath: "/host-run" },
        { name: "sys-path", mountPath: "/host-sys" },
      ],
    },
  ],
  volumes: [
    { name: "socket-path", hostPath: { path: "/run/containerd" } },
    { name: "sys-path", hostPath: { path: "/sys" } },
  ],
};

/**
 * Chaos Mesh's own pods, as its chart installs them. No Service leads to them: the names of Services are there for every pod
 * of the cluster, and an agent from which a fault's cause is concealed could ask for them.
 */
export const chaosMesh: readonly NewObject[] = [
  object("v1 Namespace", { name: namespace }),
  ...["chaos-controller-manager", "chaos-daemon"].map((name) =>
    object("v1 ServiceAccount", { name, namespace }),
  ),
  workload(
    "Deployment",
    { name: "chaos-controller-manager", namespace, labels: made },
    part("controller-manager"),
    { pod: manager },
  ),
  workload("DaemonSet", { name: "chaos-daemon", namespace, labels: made }, part("chaos-daemon"), {
    pod: daemon,
  }),
];
