import { dump } from "js-yaml";

export interface KubeconfigOptions {
  readonly cluster: string;
  readonly url: string;
  readonly caPem: string;
  readonly user: string;
  readonly token: string;
  readonly namespace?: string;
}

/** A kubeconfig with one context, as YAML text. */
export function renderKubeconfig({ cluster, url, caPem, user, token, namespace }: KubeconfigOptions): string {
  return dump({
    apiVersion: "v1",
    kind: "Config",
    "current-context": cluster,
    clusters: [
      {
        name: cluster,
        cluster: { server: url, "certificate-authority-data": Buffer.from(caPem).toString("base64") },
      },
    ],
    users: [{ name: user, user: { token } }],
    contexts: [{ name: cluster, context: { cluster, user, ...(namespace && { namespace }) } }],
    preferences: {},
  });
}
