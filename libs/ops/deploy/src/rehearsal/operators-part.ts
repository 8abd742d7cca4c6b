import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { KubeObject } from "@microremed/cluster";
import { executorNamespace, systemNamespace } from "../places.ts";
import { clusterServices, type SecretManifest, secret } from "../secrets.ts";

/** What an operator brings of the clusters under test. */
export interface OperatorsFiles {
  /** A directory with <service>/staging, as `microremed cluster prepare --name staging` writes them. */
  readonly kubeconfigs: string;
  /** Text of the clusters file. */
  readonly clusters: string;
}

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
export const withClusters = (text: string) => withFile("clusters", text);

/** As if k8s/overlays/prod/models/models.yaml had been edited. */
export const withModels = (text: string) => withFile("models", text);

const withFile =
  (name: string, text: string) =>
  (object: KubeObject): KubeObject =>
    object.kind === "ConfigMap" && object.metadata.name.startsWith(`${name}-`)
      ? { ...object, data: { [`${name}.yaml`]: text } }
      : object;
