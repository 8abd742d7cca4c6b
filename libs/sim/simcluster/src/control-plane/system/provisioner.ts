import type { NewObject } from "@microremed/sim-objects";
import { account, object, reads, workload } from "./parts.ts";

const namespace = "local-path-storage";
const name = "local-path-provisioner";
const paths = {
  nodePathMap: [{ node: "DEFAULT_PATH_FOR_NON_LISTED_NODES", paths: ["/opt/local-path-provisioner"] }],
};

/** What makes volumes for claims, as its own project installs it. */
export const provisioner: readonly NewObject[] = [
  object("v1 Namespace", { name: namespace }),
  ...account(namespace, name, "local-path-provisioner-role", [
    reads("", ["nodes", "persistentvolumeclaims", "configmaps", "pods", "pods/log"]),
    reads("", ["persistentvolumes"], ["get", "list", "watch", "create", "patch", "update", "delete"]),
    reads("", ["events"], ["create", "patch"]),
    reads("storage.k8s.io", ["storageclasses"]),
  ]),
  object(
    "v1 ConfigMap",
    { name: "local-path-config", namespace },
    { data: { "config.json": `${JSON.stringify(paths, undefined, 2)}\n` } },
  ),
  workload(
    "Deployment",
    { name, namespace },
    { app: name },
    {
      pod: {
        serviceAccountName: name,
        containers: [
          {
            name,
            image: "rancher/local-path-provisioner:v0.0.30",
            imagePullPolicy: "IfNotPresent",
            command: [name, "--debug", "start", "--config", "/etc/config/config.json"],
            env: [{ name: "POD_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } }],
            volumeMounts: [{ name: "config-volume", mountPath: "/etc/config/" }],
          },
        ],
        volumes: [{ name: "config-volume", configMap: { name: "local-path-config" } }],
      },
    },
  ),
];
