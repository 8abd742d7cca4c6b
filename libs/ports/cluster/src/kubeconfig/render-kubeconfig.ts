import type { KubeConfig } from "@kubernetes/client-node";
import type { KubeconfigOptions } from "../cluster.types.ts";

/** The same cluster for a token. Certificates are put in: a user of the kubeconfig does not see our files. */
export async function renderKubeconfig(
  of: KubeConfig,
  { cluster, namespace, user, token }: KubeconfigOptions,
): Promise<string> {
  const { KubeConfig, bufferFromFileOrString } = await import("@kubernetes/client-node");
  const { caFile, caData, ...access } = of.getCurrentCluster() ?? {};
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [
      { ...access, name: cluster, caData: bufferFromFileOrString(caFile, caData)?.toString("base64") },
    ],
    users: [{ name: user, token }],
    contexts: [{ name: namespace, cluster, user, namespace }],
    currentContext: namespace,
  });
  return config.exportConfig();
}
