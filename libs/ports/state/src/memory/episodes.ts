import type { EpisodeRecord } from "@microremed/contracts";
import { arenaName } from "../arenas.ts";
import { type ArenaEffect, type Episodes, staleLease, versionConflict } from "../episodes.ts";
import { numbered } from "../outbox.ts";
import { createEpisodeParser } from "../record-parsers.ts";
import { retention } from "../retention.ts";
import { applyEffect } from "./apply-effect.ts";
import { newArena } from "./arena-data.ts";
import { waitAgain } from "./arenas.ts";
import type { MemoryData } from "./memory-data.ts";
import type { MemoryLink } from "./memory-link.ts";
import { send } from "./outbox.ts";

export function createEpisodes({ data, use, grow }: MemoryLink): Episodes {
  const records = createEpisodeParser();
  const nameOf = (id: string): string => `episode ${id}`;
  const read = (id: string): EpisodeRecord[] => {
    const stored = data.episodes.get(id);
    return stored ? [records.parse(nameOf(id), stored.record)] : [];
  };

  return {
    get: (id) => use(() => read(id)[0]),
    latest: (id) => records.latest(nameOf(id)),
    getMany: (ids) => use(() => ids.flatMap(read)),
    transition: (expectedVersion, { next, messages, claimMs = 0, effect, checkAt }) =>
      grow(() => {
        const { id } = next;
        const version = data.episodes.get(id)?.version;
        if (version !== expectedVersion) throw versionConflict(id, version, expectedVersion);
        if (effect && !changeArena(data, id, effect)) throw staleLease(id);
        const record: EpisodeRecord = { ...next, version: expectedVersion + 1 };
        const text = JSON.stringify(record);
        const until = next.state === "done" ? data.now() + retention.finishedSeconds * 1000 : undefined;
        data.episodes.set(id, { version: record.version, record: text }, until);
        records.remember(nameOf(id), text, record);
        const allDone = index(data, next, effect);
        if (checkAt === undefined) data.deadlines.delete(id);
        else data.deadlines.set(id, checkAt);
        return { allDone, messages: numbered(messages, send(data, messages, claimMs)) };
      }),
    pending: (experimentId, limit) =>
      use(() => {
        const waiting = data.experiments.get(experimentId)?.pending.all() ?? [];
        return waiting.slice(0, limit).map(({ member }) => member);
      }),
    pendingCount: (experimentId) => use(() => data.experiments.get(experimentId)?.pending.size ?? 0),
    active: (experimentId) => use(() => [...(data.experiments.get(experimentId)?.active ?? [])]),
    overdue: (now, limit) => use(() => data.deadlines.upTo(now, limit)),
    checkAgain: (id, checkAt) => use(() => data.deadlines.move(id, checkAt)),
  };
}

/** False: the arena is no longer the episode's. */
function changeArena(data: MemoryData, episodeId: string, effect: ArenaEffect): boolean {
  const { cluster, slot } = effect.arena;
  const name = arenaName(effect.arena);
  const arena = data.arenas.get(name) ?? newArena(cluster, slot);
  const changed = applyEffect(arena, effect, episodeId, data.now());
  if (changed && changed !== arena) data.arenas.set(name, changed);
  return changed !== undefined;
}

/** Where its experiment counts the episode now; true: with it all of the experiment's episodes are done. */
function index(data: MemoryData, next: EpisodeRecord, effect: ArenaEffect | undefined): boolean {
  const { id, experimentId } = next;
  const experiment = data.experiments.get(experimentId);
  if (!experiment) return false;
  const { pending, active } = experiment;
  if (next.state === "planned") waitAgain(data, { experimentId, episodeId: id }, next.index);
  else if (next.state === "done") {
    active.delete(id);
    pending.delete(id);
    const done = experiment.done + 1;
    data.experiments.set(experimentId, { ...experiment, done });
    return done === experiment.total;
  } else if (effect?.kind === "take") {
    active.add(id);
    pending.delete(id);
  }
  return false;
}
