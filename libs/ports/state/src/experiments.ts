import type { EpisodeRecord, ExperimentRecord } from "@microremed/contracts";
import type { OutboxMessage } from "./outbox.ts";

/** How far an experiment is, in episodes. `done` are those with an outcome. */
export interface ExperimentProgress {
  readonly record: ExperimentRecord;
  readonly done: number;
  readonly cancelled: boolean;
  /** Its agent has cancelled it; absent: it runs, or was ended from outside. */
  readonly cancelledBy?: "agent";
  /** Episodes that are stored: the next ones are added when these run out. */
  readonly planned: number;
  /** Episodes that it will have; of a cancelled one those that were planned by then. */
  readonly total: number;
}

/** Experiments by id, with the episodes planned so far. */
export interface Experiments {
  /**
   * Stores an experiment, the first of its episodes and the messages that say so. Idempotent: when it exists, that one is
   * returned with `created: false`; a creation that was cut short is completed.
   */
  create(
    record: ExperimentRecord,
    options: { wants: string; episodes: readonly EpisodeRecord[]; messages: readonly OutboxMessage[] },
  ): Promise<{ record: ExperimentRecord; created: boolean }>;
  /** Adds the next episodes. False when another process added some meanwhile, or it is cancelled. */
  extend(record: ExperimentRecord, planned: number, episodes: readonly EpisodeRecord[]): Promise<boolean>;
  get(id: string): Promise<ExperimentProgress | undefined>;
  /** As this process read it last, if it remembers: its status may be old, the rest never changes. */
  latest(id: string): ExperimentRecord | undefined;
  /** The latest submitted, newest first. */
  list(limit: number): Promise<ExperimentRecord[]>;
  /** Ids of those that are not finished. */
  running(): Promise<string[]>;
  /** Ids of those with episodes that wait for an arena. */
  waiting(): Promise<string[]>;
  /**
   * From now on none of its episodes gets an arena. False when there is none or it is finished. Who was first to cancel it is what
   * is kept.
   */
  cancel(id: string, by?: "agent"): Promise<boolean>;
  /** Closes an experiment whose episodes are all done; true for the one call that did. */
  finish(record: ExperimentRecord, messages: readonly OutboxMessage[]): Promise<boolean>;
}
