import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { chaosKinds, kinds } from "@microremed/cluster";
import { openClusters } from "@microremed/cluster/kubeconfig";
import { silentLogger } from "@microremed/core";
import type { State } from "@microremed/state";

const settleMs = 20_000;

/** Redis keys of finished work; checked until there are none, or for 20 s. */
export async function leftInState(state: State): Promise<string[]> {
  const deadline = performance.now() + settleMs;
  for (;;) {
    const found = await scanState(state);
    if (found.length === 0 || performance.now() > deadline) return found;
    await delay(250);
  }
}

async function scanState(state: State): Promise<string[]> {
  const arenas = await state.arenas.list();
  const counts = {
    "messages in the outbox": await state.outbox.size(),
    "running experiments": (await state.experiments.running()).length,
    "experiments that wait": (await state.experiments.waiting()).length,
    "stages with a deadline": (await state.episodes.overdue(Number.MAX_SAFE_INTEGER, 10)).length,
    "leased arenas": arenas.filter(({ episode }) => episode !== null).length,
    leases: (await state.arenas.expiring(3_600_000)).length,
  };
  const quarantined = arenas.filter((arena) => arena.quarantined !== null);
  return [
    ...Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : [`${count} ${what}`])),
    ...quarantined.map(({ cluster, slot, quarantined: why }) => `${cluster}/${slot} in quarantine: ${why}`),
  ];
}

/** Everything on the clusters that a run may leave: objects of Chaos Mesh, and namespaces. */
export async function leftOnClusters(clustersFile: string): Promise<string[]> {
  await using clusters = await openClusters(clustersFile, { log: silentLogger });
  const perCluster = clusters.names.map(async (place) => {
    const cluster = await clusters.get(place);
    // One that died was replaced by one with a number behind its name.
    const name = place.replace(/^(embedded-\d+)-\d+$/, "$1");
    const chaos = await Promise.all(chaosKinds.map((kind) => cluster.list(kind, {})));
    const namespaces = await cluster.list(kinds.namespace, {});
    return [
      ...chaos
        .flat()
        .map(({ kind, metadata }) => `${name}: ${kind}/${metadata.name} in ${metadata.namespace}`),
      ...namespaces.map(({ metadata }) => `${name}: namespace ${metadata.name}`),
    ];
  });
  return (await Promise.all(perCluster)).flat().toSorted();
}

/** Command lines of orphaned processes that a playbook or probe started. */
export async function orphanedRuns(): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map(async (pid) => {
      const [stat = "", command = ""] = await Promise.all(
        ["stat", "cmdline"].map((file) => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "")),
      );
      const parent = /\) \S (\d+)/.exec(stat)?.[1];
      return parent === "1" && /ansible-playbook|bwrap/.test(command) ? [command.replaceAll("\0", " ")] : [];
    }),
  );
  return lines.flat();
}
