import type { ArenaStatus } from "../arenas.ts";

/** One arena as it is remembered; it is remembered, with its fence, after it is no longer registered. */
export interface ArenaData {
  readonly cluster: string;
  readonly slot: number;
  /** Whether it is registered now. */
  readonly known: boolean;
  readonly fence: number;
  /** Id of the episode that holds it, and the end of its lease, ms. */
  readonly lease: { readonly episode: string; readonly until: number } | null;
  /** Until when it counts as being given back, ms. */
  readonly leaving: number | null;
  readonly deployed: string | null;
  /** `at`: ms. */
  readonly quarantine: { readonly reason: string; readonly at: number } | null;
}

/** An arena that was never leased. */
export function newArena(cluster: string, slot: number): ArenaData {
  return {
    cluster,
    slot,
    known: false,
    fence: 0,
    lease: null,
    leaving: null,
    deployed: null,
    quarantine: null,
  };
}

export function isFree(arena: ArenaData): boolean {
  return arena.known && arena.lease === null && arena.quarantine === null;
}

export function statusOf({ cluster, slot, fence, lease, deployed, quarantine }: ArenaData): ArenaStatus {
  return {
    cluster,
    slot,
    fence,
    episode: lease?.episode ?? null,
    deployed,
    quarantined: quarantine?.reason ?? null,
    quarantinedAt: quarantine?.at ?? null,
  };
}
