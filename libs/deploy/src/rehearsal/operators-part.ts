import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { KubeObject } from "@microremed/kube";
import { executorNamespace, systemNamespace } from "../places.ts";
import { clusterServices, type SecretManifest, secret } from "../secrets.ts";

/** The Secrets of <directory>/<service>/staging, as `microremed cluster prepare --name staging` writes them. */
export function kubeconfigSecrets(directory: string): Promise<SecretManifest[]> {
  return Promise.all(
    clusterServices.map(async (service) => {
      const namespace = service === "executor" ? executorNamespace : systemNamespace;
      const text = await readFile(join(directory, service, "staging"), "utf8");
      return secret(`${service}-kubeconfigs`, namespace, { staging: text });
    }),
  );
}

/** As if k8s/overlays/prod/config/clusters.yaml had been edited. */
export const withClusters =
  (text: string) =>
  (object: KubeObject): KubeObject =>
    object.kind === "ConfigMap" && object.metadata.name.startsWith("clusters-")
      ? { ...object, data: { "clusters.yaml": text } }
      : object;
