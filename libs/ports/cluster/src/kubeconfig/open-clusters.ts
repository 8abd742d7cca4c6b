import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ClusterEntry } from "@microremed/contracts";
import { AppError, type Logger, oneOf, terminal } from "@microremed/core";
import type { Cluster } from "../cluster.types.ts";
import type { Clusters } from "../clusters.types.ts";
import { connectCluster } from "./connect-cluster.ts";
import { parseClustersFile } from "./parse-clusters-file.ts";

/** Between two checks of the file, ms. Mounted files that Kubernetes swaps by a link are not seen by watching. */
const checkEveryMs = 2_000;

/**
 * Reads the clusters file, and again whenever it changes. Throws `invalid-config` that names what is wrong; a file that
 * becomes wrong later is logged, and what it said before holds.
 */
export async function openClusters(
  file: string,
  { log, everyMs = checkEveryMs }: { readonly log: Logger; readonly everyMs?: number },
): Promise<Clusters> {
  let text = await readText(file);
  let entries = entriesOf(file, text);
  const left = new Map<string, ClusterEntry>();
  const connected = new Map<string, Promise<Cluster>>();
  const listeners = new Set<() => void>();

  const connect = (name: string): Promise<Cluster> => {
    const entry = entries.find((one) => one.name === name) ?? left.get(name);
    if (entry) return connectCluster(entry, { log });
    const known = oneOf(entries.map((one) => one.name));
    throw terminal("unknown-cluster", `no cluster ${JSON.stringify(name)} in ${file}; known: ${known}`);
  };
  const disconnect = async (name: string): Promise<void> => {
    const cluster = await connected.get(name)?.catch(() => undefined);
    connected.delete(name);
    await cluster?.[Symbol.asyncDispose]();
  };
  const change = async (next: readonly ClusterEntry[]): Promise<void> => {
    const former = entries;
    entries = next;
    for (const entry of former) {
      const now = next.find(({ name }) => name === entry.name);
      if (!now) left.set(entry.name, entry);
      else if (!isDeepStrictEqual(reachedBy(now), reachedBy(entry))) await disconnect(entry.name);
    }
    for (const { name } of next) left.delete(name);
    log.info({ clusters: next.map(({ name }) => name), left: [...left.keys()] }, "the clusters file changed");
    for (const listener of listeners) listener();
  };
  let lastError = "";
  const check = async (): Promise<void> => {
    try {
      const now = await readText(file);
      if (now === text) return;
      const next = entriesOf(file, now);
      text = now;
      lastError = "";
      if (!isDeepStrictEqual(next, entries)) await change(next);
    } catch (thrown) {
      const { message } = AppError.from(thrown);
      if (message !== lastError)
        log.error({ error_message: message }, "the clusters file is wrong now; what it said before holds");
      lastError = message;
    }
  };
  let checking: Promise<void> | undefined;
  const timer = setInterval(() => {
    checking ??= check().finally(() => {
      checking = undefined;
    });
  }, everyMs);
  timer.unref();

  return {
    get names() {
      return entries.map((entry) => entry.name);
    },
    get entries() {
      return entries;
    },
    async get(name) {
      const known = connected.get(name);
      if (known) return known;
      const fresh = connect(name);
      connected.set(name, fresh);
      fresh.catch(() => connected.delete(name));
      return fresh;
    },
    onChange(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    async forget(name) {
      if (!left.delete(name)) return;
      await disconnect(name);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await checking;
      await Promise.all([...connected.keys()].map(disconnect));
    },
  };
}

/** What a connection depends on. */
function reachedBy({ arenas: _arenas, drain: _drain, ...rest }: ClusterEntry) {
  return rest;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw terminal("invalid-config", `clusters file ${file}: ${String(error)}`);
  }
}

function entriesOf(file: string, text: string): readonly ClusterEntry[] {
  return parseClustersFile(file, text).clusters.map((entry) => ({
    ...entry,
    kubeconfig: resolve(dirname(file), entry.kubeconfig),
  }));
}
