import type { Arena, EpisodeRecord } from "@microremed/contracts";
import { type AppError, retryable } from "@microremed/core";
import type { ClaimedMessage, OutboxMessage } from "./outbox.ts";

/** What a transition does to the episode's arena, in the same step. */
export type ArenaEffect =
  /** The episode knows of its lease, which from now on lasts `leaseMs`. */
  | { readonly kind: "take"; readonly arena: Arena; readonly leaseMs: number }
  | { readonly kind: "release"; readonly arena: Arena }
  | { readonly kind: "quarantine"; readonly arena: Arena; readonly reason: string }
  /** The arena holds this environment now. */
  | { readonly kind: "deployed"; readonly arena: Arena; readonly wants: string }
  /** `arena.fence` is one more than before: a holder of the old one is refused. */
  | { readonly kind: "refence"; readonly arena: Arena };

/**
 * One step of an episode's state machine: the new record and all that goes with it, stored together or not at all.
 */
export interface Transition {
  readonly next: EpisodeRecord;
  readonly messages: readonly OutboxMessage[];
  /** How long only the caller publishes them, ms. Default 0: anybody may at once. */
  readonly claimMs?: number;
  readonly effect?: ArenaEffect | undefined;
  /** Wall clock, ms: when a scheduler must check the current stage. */
  readonly checkAt?: number | undefined;
}

export interface Transitioned {
  /** It was the last of its experiment's episodes that was not done. */
  readonly allDone: boolean;
  /** Those of the transition, as they lie in the outbox. */
  readonly messages: readonly ClaimedMessage[];
}

/** The records of episodes, each with a version that every transition raises by one. */
export interface Episodes {
  get(id: string): Promise<EpisodeRecord | undefined>;
  /**
   * As this process read or wrote it last, if it remembers: nothing is read, and it may be old. A transition from an old
   * one is a `version-conflict`. Nothing is remembered beyond the loss of the connection: a server that crashed may have
   * gone back to an earlier version.
   */
  latest(id: string): EpisodeRecord | undefined;
  /** In the order of the ids; those that do not exist are left out. */
  getMany(ids: readonly string[]): Promise<EpisodeRecord[]>;
  /**
   * Replaces the record of version `expectedVersion` by `next` (stored with the version after it) and puts the messages
   * in the outbox, all or nothing, claimed for `claimMs` by the caller, who is to publish them. Throws retryable
   * `version-conflict` when the record changed meanwhile and `stale-lease` when the arena is no longer the episode's.
   */
  transition(expectedVersion: number, transition: Transition): Promise<Transitioned>;
  /** Ids of an experiment's episodes that wait for an arena, model by model in the order of their index. */
  pending(experimentId: string, limit: number): Promise<string[]>;
  /** How many of an experiment's episodes wait for an arena. */
  pendingCount(experimentId: string): Promise<number>;
  /** Ids of an experiment's episodes that hold an arena. */
  active(experimentId: string): Promise<string[]>;
  /** Ids of episodes whose stage is to be checked at `now`, longest first. */
  overdue(now: number, limit: number): Promise<string[]>;
  /** If a stage is still out, it is checked again at this time. */
  checkAgain(id: string, checkAt: number): Promise<void>;
}

/** `version`: the one that it has; absent: there is no such episode. */
export function versionConflict(id: string, version: number | undefined, expected: number): AppError {
  const message = `episode ${id} has version ${version ?? -1}, expected ${expected}`;
  return retryable("version-conflict", message, { episodeId: id });
}

export function staleLease(id: string): AppError {
  return retryable("stale-lease", `episode ${id} no longer holds its arena`, { episodeId: id });
}
