import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { ClustersFile } from "@microremed/contracts";
import { type Logger, oneOf, terminal } from "@microremed/core";
import { load } from "js-yaml";
import { z } from "zod";
import type { Cluster } from "./cluster.types.ts";
import { connectCluster } from "./connect-cluster.ts";

/** The registered clusters, each connected on first use. */
export interface Clusters extends AsyncDisposable {
  readonly names: readonly string[];
  /** Entries as registered, in the file's order; kubeconfig paths made absolute. */
  readonly entries: ClustersFile["clusters"];
  /** Throws `unknown-cluster` that lists the known ones. */
  get(name: string): Promise<Cluster>;
}

/** Reads the clusters file. Throws `invalid-config` that names what is wrong. */
export async function openClusters(file: string, deps: { log: Logger }): Promise<Clusters> {
  const entries = (await readClustersFile(file)).clusters.map((entry) => ({
    ...entry,
    kubeconfig: resolve(dirname(file), entry.kubeconfig),
  }));
  const connected = new Map<string, Promise<Cluster>>();
  const connect = (name: string): Promise<Cluster> => {
    const entry = entries.find((one) => one.name === name);
    if (entry) return connectCluster(entry, deps);
    const known = oneOf(entries.map((one) => one.name));
    throw terminal("unknown-cluster", `no cluster ${JSON.stringify(name)} in ${file}; known: ${known}`);
  };
  return {
    names: entries.map((entry) => entry.name),
    entries,
    async get(name) {
      const known = connected.get(name);
      if (known) return known;
      const fresh = connect(name);
      connected.set(name, fresh);
      fresh.catch(() => connected.delete(name));
      return fresh;
    },
    async [Symbol.asyncDispose]() {
      for (const cluster of await Promise.allSettled(connected.values())) {
        if (cluster.status === "fulfilled") await cluster.value[Symbol.asyncDispose]();
      }
    },
  };
}

async function readClustersFile(file: string): Promise<ClustersFile> {
  let content: unknown;
  try {
    content = load(await readFile(file, "utf8"));
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw terminal("invalid-config", `clusters file ${file}: ${why}`);
  }
  const parsed = ClustersFile.safeParse(content);
  if (!parsed.success) {
    throw terminal("invalid-config", `clusters file ${file}: ${z.prettifyError(parsed.error)}`);
  }
  const names = parsed.data.clusters.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw terminal("invalid-config", `clusters file ${file}: cluster ${twice} is there twice`);
  return parsed.data;
}
