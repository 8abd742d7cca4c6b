import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ClustersFile } from "@microremed/contracts";
import { parseJson } from "@microremed/core";
import type { Variables } from "@microremed/stack";
import { openTcpLink, type TcpLink } from "./tcp-link.ts";

/** A link between one process and one server. */
export interface NamedLink extends TcpLink {
  /** `<process> - <server>` */
  readonly name: string;
}

/** While the last cluster is being replaced there is none, which no service would read. */
const hasClusters = (text: string): boolean => ClustersFile.safeParse(parseJson(text)).success;

type Cluster = ClustersFile["clusters"][number];

/** The links of a whole range: every process has one of its own to each server it talks to. */
export interface Links extends AsyncDisposable {
  readonly all: readonly NamedLink[];
  /** Puts a link into every address among a process's variables: NATS, Redis, the API servers of its clusters. */
  through(name: string, given: Variables): Promise<Variables>;
}

/** How often a clusters file is read again, ms: clusters that died are replaced by others. */
const followEveryMs = 250;

/** `dir`: where the clusters files with the changed addresses go. They follow the original. */
export function createLinks(dir: string): Links {
  const all: NamedLink[] = [];
  const closing = new AbortController();
  const following: Promise<void>[] = [];
  const link = async (name: string, url: string): Promise<string> => {
    const changed = new URL(url);
    const opened = await openTcpLink(Number(changed.port));
    all.push(Object.assign(opened, { name }));
    changed.port = String(opened.port);
    // `new URL` ends an address without a path with a slash.
    return url.endsWith("/") ? changed.href : changed.href.replace(/\/$/, "");
  };
  /** The clusters of a file with their addresses changed. `known`: those that have links already, by name. */
  const changedClusters = async (name: string, text: string, known: Map<string, Cluster>) => {
    const { clusters } = ClustersFile.parse(JSON.parse(text));
    const own = join(dir, name);
    const changed = clusters.map(async (cluster): Promise<Cluster> => {
      const before = known.get(cluster.name);
      if (before) return before;
      const text = await readFile(cluster.kubeconfig, "utf8").catch(() => undefined);
      const server = /server: (\S+)/.exec(text ?? "")?.[1];
      if (text === undefined || server === undefined) return cluster;
      const kubeconfig = join(own, `${cluster.name}.kubeconfig`);
      const through = await link(`${name} - ${cluster.name}`, server);
      await writeFile(kubeconfig, text.replaceAll(server, through), { mode: 0o600 });
      // An embedded cluster's clock is served at its API server's address.
      const clock = cluster.clock?.replace(server, through);
      const linked = { ...cluster, kubeconfig, ...(clock !== undefined && { clock }) };
      known.set(cluster.name, linked);
      return linked;
    });
    return JSON.stringify({ clusters: await Promise.all(changed) });
  };
  const clustersFile = async (name: string, file: string): Promise<string> => {
    const own = join(dir, name);
    await mkdir(own, { recursive: true });
    const ownFile = join(own, "clusters.yaml");
    const known = new Map<string, Cluster>();
    let text = await readFile(file, "utf8");
    await writeFile(ownFile, await changedClusters(name, text, known));
    const follow = async (): Promise<void> => {
      while (!closing.signal.aborted) {
        await delay(followEveryMs, undefined, { signal: closing.signal }).catch(() => undefined);
        const now = await readFile(file, "utf8").catch(() => text);
        if (now === text || closing.signal.aborted || !hasClusters(now)) continue;
        text = now;
        await writeFile(`${ownFile}.new`, await changedClusters(name, now, known));
        await rename(`${ownFile}.new`, ownFile);
      }
    };
    following.push(follow());
    return ownFile;
  };
  return {
    all,
    through: async (name, { NATS_URL = "", REDIS_URL = "", CLUSTERS_FILE = "" }) => ({
      NATS_URL: await link(`${name} - nats`, NATS_URL),
      REDIS_URL: await link(`${name} - redis`, REDIS_URL),
      CLUSTERS_FILE: await clustersFile(name, CLUSTERS_FILE),
    }),
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await Promise.all(following);
      await Promise.all(all.map((one) => one[Symbol.asyncDispose]()));
    },
  };
}
