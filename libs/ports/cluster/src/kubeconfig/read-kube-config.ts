import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { KubeConfig } from "@kubernetes/client-node";
import { terminal } from "@microremed/core";
import { load } from "js-yaml";
import { causeOf } from "../cluster-errors.ts";

interface RawUsers {
  readonly users?: readonly { readonly name?: string; readonly user?: { readonly tokenFile?: string } }[];
}

/**
 * Reads a kubeconfig file and chooses a context, `undefined` for its current one.
 * Throws `invalid-config` that says what is wrong with the file.
 */
export async function readKubeConfig(file: string, context?: string): Promise<KubeConfig> {
  const wrong = (what: string): Error => terminal("invalid-config", `kubeconfig ${file}: ${what}`);
  // Loaded on first use: it takes 60 MB, and the scheduler only reads the clusters' names.
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  try {
    const text = await readFile(file, "utf8");
    config.loadFromString(text);
    config.makePathsAbsolute(dirname(file));
    useTokenFiles(config, load(text) as RawUsers, dirname(file));
  } catch (error) {
    throw wrong(`cannot be read as a kubeconfig (${causeOf(error)})`);
  }
  const name = context ?? config.getCurrentContext();
  const chosen = config.getContextObject(name);
  if (!chosen) throw wrong(`has no context ${JSON.stringify(name)}`);
  config.setCurrentContext(name);
  const cluster = config.getCurrentCluster();
  if (!cluster || !URL.canParse(cluster.server)) {
    throw wrong(`context ${name} needs a cluster with a server, ${JSON.stringify(chosen.cluster)} is none`);
  }
  if (!config.getCurrentUser()) throw wrong(`context ${name} needs the user ${JSON.stringify(chosen.user)}`);
  if (cluster.server.startsWith("http:") && !cluster.skipTLSVerify) {
    throw wrong(`server ${cluster.server} is not encrypted; insecure-skip-tls-verify: true allows that`);
  }
  return config;
}

/** client-node reads no `tokenFile`; its provider for service accounts does, again and again as Kubernetes renews it. */
function useTokenFiles(config: KubeConfig, raw: RawUsers, folder: string): void {
  config.users = config.users.map((user) => {
    const tokenFile = raw.users?.find(({ name }) => name === user.name)?.user?.tokenFile;
    if (tokenFile === undefined || user.token) return user;
    return {
      ...user,
      authProvider: { name: "tokenFile", config: { tokenFile: resolve(folder, tokenFile) } },
    };
  });
}
