import type { ArenaEffect } from "../episodes.ts";
import type { ArenaData } from "./arena-data.ts";

/**
 * What an episode's transition makes of its arena. `undefined`: the arena is another's, so the transition must not
 * happen; giving up an arena that is another's already is no offence and changes nothing.
 */
export function applyEffect(
  arena: ArenaData,
  effect: ArenaEffect,
  episodeId: string,
  now: number,
): ArenaData | undefined {
  const { fence } = effect.arena;
  const held = effect.kind === "refence" ? fence - 1 : fence;
  if (arena.lease?.episode !== episodeId || arena.fence !== held) {
    return effect.kind === "release" || effect.kind === "quarantine" ? arena : undefined;
  }
  switch (effect.kind) {
    case "take":
      return { ...arena, lease: { episode: episodeId, until: Math.floor(now) + effect.leaseMs } };
    case "refence":
      return { ...arena, fence };
    case "deployed":
      return { ...arena, deployed: effect.wants };
    case "release":
      return { ...arena, lease: null };
    case "quarantine":
      return {
        ...arena,
        lease: null,
        quarantine: { reason: effect.reason, at: Math.floor(now / 1000) * 1000 },
      };
    default:
      return effect satisfies never;
  }
}
