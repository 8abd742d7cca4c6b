import { terminal } from "@microremed/core";
import type { KubeconfigOptions } from "../cluster.types.ts";

/** Of a server that is no address: it is a cluster's name in this process. */
const scheme = "in-process://";

export const originOf = (cluster: string): string => `${scheme}${cluster}`;

interface RawKubeconfig {
  readonly clusters?: readonly { readonly cluster?: { readonly server?: string } }[];
  readonly contexts?: readonly { readonly context?: { readonly namespace?: string } }[];
  readonly users?: readonly { readonly name?: string; readonly user?: { readonly token?: string } }[];
}

/** Where the API server of a cluster of this process listens too, for other processes. */
export interface ServedAt {
  readonly url: string;
  readonly caPem: string;
}

/** JSON, which is YAML too. Without `served` it is of use in this process alone. */
export function renderInProcessKubeconfig(
  { cluster, namespace, user, token }: KubeconfigOptions,
  served?: ServedAt,
): string {
  const server = served
    ? {
        server: served.url,
        "certificate-authority-data": Buffer.from(served.caPem).toString("base64"),
      }
    : { server: originOf(cluster) };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: cluster, cluster: server }],
    users: [{ name: user, user: { token } }],
    contexts: [{ name: namespace, context: { cluster, user, namespace } }],
    "current-context": namespace,
  });
}

/** The same access for another process: `kubeconfig` is one of `agentKubeconfig` of this process's clusters. Throws `invalid-config`. */
export const servedKubeconfig = (kubeconfig: string, served: ServedAt): string =>
  renderInProcessKubeconfig(parseInProcessKubeconfig(kubeconfig), served);

/** Reads what `agentKubeconfig` of an in-process cluster gave. Throws `invalid-config` for every other kubeconfig. */
export function parseInProcessKubeconfig(text: string): KubeconfigOptions {
  let config: RawKubeconfig = {};
  try {
    config = JSON.parse(text) as RawKubeconfig;
  } catch {
    // Said below: what could not be read is not quoted, because it may hold a credential.
  }
  const server = config.clusters?.[0]?.cluster?.server;
  const { name: user = "", user: { token } = {} } = config.users?.[0] ?? {};
  const namespace = config.contexts?.[0]?.context?.namespace;
  if (server === undefined || !server.startsWith(scheme) || token === undefined || namespace === undefined) {
    throw terminal(
      "invalid-config",
      "this kubeconfig belongs to no cluster of this process; pass one from agentKubeconfig",
    );
  }
  return { cluster: server.slice(scheme.length), namespace, user, token };
}
