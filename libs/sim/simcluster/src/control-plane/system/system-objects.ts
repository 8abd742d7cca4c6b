import type { NewObject } from "@microremed/sim-objects";
import { chaosMesh } from "./chaos-mesh.ts";
import { kubeProxy } from "./kube-proxy.ts";
import { metricsServer } from "./metrics-server.ts";
import { nameServer } from "./name-server.ts";
import { nodeExporter } from "./node-exporter.ts";
import { provisioner } from "./provisioner.ts";

/** What a new cluster runs itself, each after what it needs; the control plane's pods are static ones. */
export const systemObjects: readonly NewObject[] = [
  ...nameServer,
  ...kubeProxy,
  ...metricsServer,
  ...nodeExporter,
  ...provisioner,
  ...chaosMesh,
];
