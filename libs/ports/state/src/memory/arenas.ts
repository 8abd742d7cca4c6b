import { experimentIdOf, type PlannedEpisode } from "@microremed/contracts";
import {
  type Arenas,
  arenaName,
  consideredExperiments,
  givingBackMs,
  type Lease,
  type NewLease,
} from "../arenas.ts";
import { pendingScore } from "../lanes.ts";
import { type ArenaData, isFree, newArena, statusOf } from "./arena-data.ts";
import {
  type ChosenLease,
  chooseLease,
  type Market,
  type Queued,
  strideOf,
  waitingIn,
} from "./choose-lease.ts";
import type { MemoryData } from "./memory-data.ts";
import type { MemoryLink } from "./memory-link.ts";

/** Of the problem that an episode is about; empty: it is of a request without problems. */
function problemEnvironment(data: MemoryData, episodeId: string): string {
  const { problem }: Partial<Pick<PlannedEpisode, "problem">> = JSON.parse(
    data.episodes.get(episodeId)?.record ?? "{}",
  );
  return problem?.environment ?? "";
}

type ArenaRef = Pick<Lease, "cluster" | "slot">;

export function createArenas({ data, use }: MemoryLink): Arenas {
  const { arenas } = data;
  const find = (ref: ArenaRef): ArenaData => arenas.get(arenaName(ref)) ?? newArena(ref.cluster, ref.slot);
  const put = (arena: ArenaData): void => void arenas.set(arenaName(arena), arena);

  return {
    register: (clusters) =>
      use(() => {
        for (const arena of arenas.values()) put({ ...arena, known: false });
        for (const { name, arenas: slots } of clusters) {
          for (let slot = 0; slot < slots; slot++) put({ ...find({ cluster: name, slot }), known: true });
        }
      }),
    leaseNext: ({ claimMs }) =>
      use(() => {
        const held = heldByOwner(data);
        const lines = data.lines.owners().map((owner) => ({ owner, line: lineOf(data, owner) }));
        const chosen = chooseLease(lines, held, marketOf(data));
        return chosen && lease(data, chosen, claimMs);
      }),
    giveBack: (lost, isSilent) => use(() => giveBack(data, lost, isSilent)),
    expiring: (withinMs) =>
      use(() => {
        const now = Math.floor(data.now());
        return leased(data)
          .filter(({ until }) => until <= now + withinMs)
          .map(({ until, arena: { cluster, slot, fence }, episode }) => {
            const experimentId = experimentIdOf(episode);
            return { experimentId, episodeId: episode, cluster, slot, fence, over: until <= now };
          });
      }),
    renew: (ref, leaseMs) =>
      use(() => {
        const arena = find(ref);
        const until = Math.floor(data.now()) + leaseMs;
        if (arena.lease) put({ ...arena, lease: { ...arena.lease, until } });
      }),
    abandon: (lost, episode) =>
      use(() => {
        const arena = find(lost);
        if (arena.fence !== lost.fence || arena.lease?.episode !== lost.episodeId) return false;
        if (episode?.state === "planned") {
          if (data.episodes.get(lost.episodeId)?.version !== episode.version) return false;
          waitAgain(data, lost, episode.index);
        }
        put({ ...arena, lease: null });
        return true;
      }),
    reclaim: (lost, { reason, overMs }) =>
      use(() => {
        const arena = find(lost);
        const now = data.now();
        const { lease, fence } = arena;
        if (fence !== lost.fence || lease?.episode !== lost.episodeId) return false;
        if (lease.until + overMs > Math.floor(now)) return false;
        const quarantine = { reason, at: Math.floor(now / 1000) * 1000 };
        put({ ...arena, fence: fence + 1, lease: null, quarantine });
        data.experiments.get(lost.experimentId)?.active.delete(lost.episodeId);
        return true;
      }),
    currentFence: (ref) => use(() => find(ref).fence),
    list: () =>
      use(() => {
        const names = [...arenas.keys()].toSorted();
        return names.flatMap((name) => {
          const arena = arenas.get(name);
          return arena?.known ? [statusOf(arena)] : [];
        });
      }),
    get: (ref) =>
      use(() => {
        const arena = find(ref);
        return { ...statusOf(arena), known: arena.known };
      }),
    clustersInUse: () =>
      use(() => {
        const used = arenas.values().filter(({ known, lease }) => known || lease !== null);
        return new Set(used.map(({ cluster }) => cluster));
      }),
    readmit: (ref) =>
      use(() => {
        const arena = find(ref);
        if (!arena.quarantine) return false;
        put({ ...arena, quarantine: null, deployed: null });
        return true;
      }),
  };
}

/** An owner's experiments with episodes that wait, the next one first. */
function* lineOf(data: MemoryData, owner: string): Generator<Queued> {
  for (const id of data.lines.of(owner).slice(0, consideredExperiments)) {
    const experiment = data.experiments.get(id);
    if (experiment) yield { id, ...experiment };
  }
}

function marketOf(data: MemoryData): Market {
  return {
    free: freeArenas(data),
    quarantined: new Set(data.quarantined.keys()),
    paused: new Set(data.paused.keys()),
    environmentOf: (episodeId) => problemEnvironment(data, episodeId),
  };
}

/** How many arenas of these are leased to each owner's episodes. */
function heldByOwner(data: MemoryData, arenas = leased(data)): (owner: string) => number {
  const held = new Map<string, number>();
  for (const { episode } of arenas) {
    const owner = data.experiments.get(experimentIdOf(episode))?.owner ?? "";
    held.set(owner, (held.get(owner) ?? 0) + 1);
  }
  return (owner) => held.get(owner) ?? 0;
}

function giveBack(
  data: MemoryData,
  { experimentId, episodeId, cluster, slot, fence }: Lease,
  isSilent: boolean,
): boolean {
  const name = arenaName({ cluster, slot });
  const arena = data.arenas.get(name);
  const own = data.experiments.get(experimentId)?.owner ?? "";
  if (arena?.fence !== fence || arena.lease?.episode !== episodeId || own === "") return false;
  const now = Math.floor(data.now());
  const leaves = (one: ReturnType<typeof leased>[number]): boolean =>
    one.name !== name && (one.arena.leaving ?? 0) > now;
  const all = leased(data);
  const held = heldByOwner(
    data,
    all.filter((one) => !leaves(one)),
  );
  const market = marketOf(data);
  const waiting = data.lines
    .owners()
    .filter((owner) => owner !== own && held(owner) <= held(own) - (isSilent ? 1 : 2))
    .map((owner) => [...waitingIn(lineOf(data, owner), market)].filter((one) => !one.arena))
    .filter((unserved) => unserved.length > 0);
  const isUsable = waiting.flat().some(({ experiment }) => experiment.clusters?.includes(cluster) ?? true);
  if (!isUsable || waiting.length <= all.filter(leaves).length) return false;
  data.lines.toBack(own);
  data.arenas.set(name, { ...arena, leaving: now + givingBackMs });
  return true;
}

/** In the order of their names. */
function freeArenas({ arenas }: MemoryData) {
  return [...arenas]
    .filter(([, arena]) => isFree(arena))
    .map(([name, { cluster, deployed }]) => ({ name, cluster, deployed }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The lease that ends first is first. */
function leased({ arenas }: MemoryData) {
  return [...arenas]
    .flatMap(([name, arena]) => (arena.lease ? [{ name, arena, ...arena.lease }] : []))
    .toSorted((a, b) => a.until - b.until || (a.name < b.name ? -1 : 1));
}

function lease(data: MemoryData, chosen: ChosenLease, claimMs: number): NewLease | undefined {
  const { id: experimentId } = chosen.experiment;
  const { episodeId } = chosen;
  const arena = data.arenas.get(chosen.arena.name);
  const experiment = data.experiments.get(experimentId);
  if (!arena || !experiment) return undefined;
  const fence = arena.fence + 1;
  const until = Math.floor(data.now()) + claimMs;
  const leased = { episode: episodeId, until };
  data.arenas.set(chosen.arena.name, { ...arena, fence, lease: leased, leaving: null });
  const { pending, active, priority, owner, total, planned } = experiment;
  pending.delete(episodeId);
  active.add(episodeId);
  data.lines.served(owner, experimentId, strideOf(priority));
  if (pending.size === 0) data.lines.leave(owner, experimentId);
  const { cluster, slot } = arena;
  return {
    experimentId,
    episodeId,
    cluster,
    slot,
    fence,
    waiting: pending.size,
    unplanned: total - planned,
  };
}

/** An episode goes back in the queue. */
export function waitAgain(
  data: MemoryData,
  { experimentId, episodeId }: Pick<Lease, "experimentId" | "episodeId">,
  index: number,
): void {
  const experiment = data.experiments.get(experimentId);
  if (!experiment) return;
  experiment.active.delete(episodeId);
  experiment.pending.set(episodeId, pendingScore(index, experiment.lanes));
  data.lines.join(experiment.owner, experimentId);
}
