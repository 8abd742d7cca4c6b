import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ClustersFile } from "@microremed/contracts";
import type { Variables } from "@microremed/stack";
import { openTcpLink, type TcpLink } from "./tcp-link.ts";

/** A link between one process and one server. */
export interface NamedLink extends TcpLink {
  /** `<process> - <server>` */
  readonly name: string;
}

/** The links of a whole range: every process has one of its own to each server it talks to. */
export interface Links extends AsyncDisposable {
  readonly all: readonly NamedLink[];
  /** Puts a link into every address among a process's variables: NATS, Redis, the API servers of its clusters. */
  through(name: string, given: Variables): Promise<Variables>;
}

/** `dir`: where the clusters files with the changed addresses go. */
export function createLinks(dir: string): Links {
  const all: NamedLink[] = [];
  const link = async (name: string, url: string): Promise<string> => {
    const changed = new URL(url);
    const opened = await openTcpLink(Number(changed.port));
    all.push(Object.assign(opened, { name }));
    changed.port = String(opened.port);
    // `new URL` ends an address without a path with a slash.
    return url.endsWith("/") ? changed.href : changed.href.replace(/\/$/, "");
  };
  const clustersFile = async (name: string, file: string): Promise<string> => {
    const { clusters } = ClustersFile.parse(JSON.parse(await readFile(file, "utf8")));
    const own = join(dir, name);
    await mkdir(own, { recursive: true });
    const changed = clusters.map(async (cluster) => {
      const text = await readFile(cluster.kubeconfig, "utf8").catch(() => undefined);
      const server = /server: (\S+)/.exec(text ?? "")?.[1];
      if (text === undefined || server === undefined) return cluster;
      const kubeconfig = join(own, `${cluster.name}.kubeconfig`);
      const through = await link(`${name} - ${cluster.name}`, server);
      await writeFile(kubeconfig, text.replaceAll(server, through), { mode: 0o600 });
      // An embedded cluster's clock is served at its API server's address.
      const clock = cluster.clock?.replace(server, through);
      return { ...cluster, kubeconfig, ...(clock !== undefined && { clock }) };
    });
    const ownFile = join(own, "clusters.yaml");
    await writeFile(ownFile, JSON.stringify({ clusters: await Promise.all(changed) }));
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
      await Promise.all(all.map((one) => one[Symbol.asyncDispose]()));
    },
  };
}
