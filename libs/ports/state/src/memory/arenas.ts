import { experimentIdOf, type PlannedEpisode } from "@microremed/contracts";
import { type Arenas, arenaName, consideredExperiments, type Lease, type NewLease } from "../arenas.ts";
import { pendingScore } from "../lanes.ts";
import { type ArenaData, isFree, newArena, statusOf } from "./arena-data.ts";
import { type ChosenLease, chooseLease, placeAfterLease, type Queued } from "./choose-lease.ts";
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
        const chosen = chooseLease(
          queue(data),
          freeArenas(data),
          new Set(data.quarantined.keys()),
          new Set(data.paused.keys()),
          (episodeId) => problemEnvironment(data, episodeId),
        );
        return chosen && lease(data, chosen, claimMs);
      }),
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

/** Experiments with episodes that wait, the next one first. */
function* queue(data: MemoryData): Generator<Queued> {
  for (const { member } of data.waiting.all().slice(0, consideredExperiments)) {
    const experiment = data.experiments.get(member);
    if (experiment) yield { id: member, ...experiment };
  }
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
  data.arenas.set(chosen.arena.name, { ...arena, fence, lease: { episode: episodeId, until } });
  const { pending, active, priority, total, planned } = experiment;
  pending.delete(episodeId);
  active.add(episodeId);
  data.ticket = data.waiting.scoreOf(experimentId) ?? 0;
  if (pending.size === 0) data.waiting.delete(experimentId);
  else data.waiting.set(experimentId, placeAfterLease(data.ticket, priority));
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
  data.waiting.add(experimentId, data.ticket);
}
