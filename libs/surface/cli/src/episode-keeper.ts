import { setTimeout as delay } from "node:timers/promises";
import {
  drawsKeyOf,
  type EarlierTrial,
  type EpisodeRecord,
  type EpisodeState,
  type ExperimentRequest,
  episodeId,
  episodeIndexOf,
  type RangeEvent,
} from "@microremed/contracts";
import { AppError } from "@microremed/core";
import type { RangeClient } from "@microremed/range-client";
import { createReport, type Report, type ReportStatus } from "@microremed/scoring";
import { begunTrials, removeBegun, saveBegun } from "./begun-episodes.ts";
import { removeOthers, saveEpisode, saveRequest } from "./save-episodes.ts";
import type { Terminal } from "./terminal.ts";

/** An experiment of the range, and which of the whole one's episodes it runs. */
export interface Part {
  readonly experimentId: string;
  /** Number in the whole of the part's episode of each number; absent: they are the same. */
  readonly numbers?: readonly number[];
}

/** An experiment as its report and its files call it; a resumed one runs in parts of other names. */
export interface Whole {
  readonly id: string;
  readonly request: ExperimentRequest;
  /** Episodes of an earlier run. */
  readonly done: readonly EpisodeRecord[];
  /** What agents had been given of episodes that the parts run again, by index. */
  readonly earlier: ReadonlyMap<number, readonly EarlierTrial[]>;
}

export interface KeeperOptions {
  /** Absent: the first part is the whole. */
  readonly whole?: Whole | undefined;
  /** Where each episode is written when it ends. */
  readonly savePath?: string | undefined;
}

/** Holds an experiment's episodes from the moment when they end. */
export interface Keeper {
  /** Takes the episode that the event says has ended, and notes what one that goes on has given to its agent. */
  see(event: RangeEvent): void;
  /**
   * Takes what is missing still, once the parts have ended. One that cannot be read or written keeps no other from it: it is said,
   * and counted.
   */
  finish(): Promise<number>;
  /** Waits for what is being taken, `ms` at most. */
  settle(ms: number): Promise<void>;
  report(status: ReportStatus): Report;
}

/** Episodes read and written at once. */
const lanes = 4;

/** What the agent has been given grows when an episode comes to one of these. */
const inTurn: ReadonlySet<string> = new Set<EpisodeState>(["solving", "acting", "grading"]);

/** Reads what the parts are, and writes the request. Throws as the client does, and when the directory takes nothing. */
export async function createKeeper(
  client: Pick<RangeClient, "episode" | "conversation" | "experimentRecord">,
  parts: readonly Part[],
  { whole, savePath }: KeeperOptions,
  { say }: Pick<Terminal, "say">,
): Promise<Keeper> {
  const [first] = parts;
  if (!first) throw new AppError("internal", "an experiment without a part cannot be followed");
  const began = await client.experimentRecord(first.experimentId);
  const { id, request: asked, done, earlier } = whole ?? { ...began, done: [], earlier: new Map() };
  const request = { ...asked, agentSeed: drawsKeyOf(began) };
  if (savePath !== undefined) await saveRequest(savePath, { ...request, id });
  const kept = new Map(done.map((record) => [record.index, record]));
  const partOf = new Map(parts.map((part) => [part.experimentId, part]));
  const taken = new Set<string>();
  const named = (record: EpisodeRecord, number: number): EpisodeRecord => {
    const trials = [...(earlier.get(number) ?? []), ...(record.earlier ?? [])];
    const own = { ...record, id: episodeId(id, number), experimentId: id, index: number };
    return trials.length === 0 ? own : { ...own, earlier: trials };
  };

  const note = async (part: Part, index: number): Promise<void> => {
    const { record } = await client.episode(episodeId(part.experimentId, index));
    const number = part.numbers?.[index] ?? index;
    const trials = begunTrials(named(record, number));
    if (savePath !== undefined && trials.length > 0 && !taken.has(record.id))
      await saveBegun(savePath, number, trials);
  };
  const take = async (part: Part, index: number): Promise<void> => {
    const own = episodeId(part.experimentId, index);
    if (taken.has(own)) return;
    const { experiment, record } = await client.episode(own);
    const number = part.numbers?.[index] ?? index;
    const ended = named(record, number);
    kept.set(number, ended);
    if (savePath !== undefined) {
      const conversation = await client.conversation(own);
      const path = await saveEpisode(savePath, { ...experiment, id, request }, ended, conversation);
      taken.add(own);
      if (whole) await removeOthers(savePath, path, number);
      await removeBegun(savePath, number);
    }
    taken.add(own);
  };

  /** What is to be done next, by the episode's id. What comes later holds what came before. */
  const queue = new Map<string, () => Promise<void>>();
  const busy = new Set<Promise<void>>();
  /** Episodes that a lane is at: two would write the same files. */
  const inWork = new Set<string>();
  const work = async (): Promise<void> => {
    const free = () => [...queue].find(([id]) => !inWork.has(id));
    for (let next = free(); next; next = free()) {
      const [id, job] = next;
      queue.delete(id);
      inWork.add(id);
      // It is tried once more when the experiment has ended.
      await job().catch((thrown: unknown) =>
        say(`an episode is not kept yet: ${AppError.from(thrown).message}`),
      );
      inWork.delete(id);
    }
  };
  return {
    see: (event) => {
      const part = partOf.get(event.experimentId);
      if (!part) return;
      if (event.type === "episode-finished")
        queue.set(event.episodeId, () => take(part, episodeIndexOf(event.episodeId)));
      else if (event.type === "episode-advanced" && savePath !== undefined && inTurn.has(event.state))
        queue.set(event.episodeId, () => note(part, episodeIndexOf(event.episodeId)));
      else return;
      if (busy.size >= lanes) return;
      const lane: Promise<void> = work().finally(() => busy.delete(lane));
      busy.add(lane);
    },
    finish: async () => {
      await Promise.all(busy);
      let lost = 0;
      for (const part of parts) {
        const { episodes } = await client.experimentRecord(part.experimentId);
        for (let index = 0; index < episodes; index += 1)
          await take(part, index).catch((thrown: unknown) => {
            lost += 1;
            say(`episode ${index} of ${part.experimentId} is not kept: ${AppError.from(thrown).message}`);
          });
      }
      return lost;
    },
    settle: async (ms) => {
      await Promise.race([Promise.all(busy), delay(ms, undefined, { ref: false })]);
    },
    report: (status) => createReport({ ...began, id, request, status }, [...kept.values()]),
  };
}
