import { setTimeout as delay } from "node:timers/promises";
import type { Bus } from "@microremed/bus";
import type { EpisodeRecord, RangeEvent } from "@microremed/contracts";
import { endSteps, episodeId } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import type { State } from "@microremed/state";

const checkEveryMs = 250;
const page = 500;

/** Waits for an experiment's end, and reads all its episodes; as `untilEnded`. */
export async function untilFinished(state: State, id: string, timeoutMs: number): Promise<EpisodeRecord[]> {
  return readEpisodes(state, id, await untilEnded(state, id, timeoutMs));
}

/**
 * Waits for an experiment's end by its state, whatever is away meanwhile; returns how many episodes it had. Throws, with
 * what is stuck, after `timeoutMs`.
 */
export async function untilEnded(state: State, id: string, timeoutMs: number): Promise<number> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const experiment = await untilAnswered(() => state.experiments.get(id));
    if (experiment && experiment.record.status !== "running") return experiment.record.episodes;
    if (performance.now() > deadline) throw await stuck(state, id, experiment?.record.episodes ?? 0);
    await delay(checkEveryMs);
  }
}

async function readEpisodes(state: State, id: string, count: number): Promise<EpisodeRecord[]> {
  const ids = Array.from({ length: count }, (_, index) => episodeId(id, index));
  const episodes: EpisodeRecord[] = [];
  for (let from = 0; from < count; from += page) {
    episodes.push(...(await untilAnswered(() => state.episodes.getMany(ids.slice(from, from + page)))));
  }
  return episodes;
}

/** Redis may be away at any moment of a run, for a while. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (tries >= 10) throw error;
      await delay(checkEveryMs);
    }
  }
}

async function stuck(state: State, id: string, count: number): Promise<Error> {
  const open = (await readEpisodes(state, id, count)).filter((one) => one.state !== "done");
  const lines = open.slice(0, 10).map(({ id: name, state: at, trial, attempt, arena, timings }) => {
    const since = Math.round((Date.now() - (timings.at(-1)?.startedAt ?? Date.now())) / 1000);
    return `${name} ${at} ${trial}/${attempt} on ${arena?.cluster}/${arena?.slot} for ${since} s`;
  });
  return terminal(
    "deadline-exceeded",
    `${id}: ${open.length} of ${count} episodes are open:\n${lines.join("\n")}`,
  );
}

/** What two runs of one request must agree on, a line per episode. */
export function outcomeLines(episodes: readonly EpisodeRecord[]): string[] {
  return episodes.map(({ index, failure, target, outcome, steps, error }) =>
    [index, failure, target, outcome, `${endSteps(steps).length} attempts`, error?.message ?? ""]
      .join(" ")
      .trim(),
  );
}

/** What the event log says that should not be so: every episode ends once, and so does the experiment. */
export async function wrongEvents(
  bus: Bus,
  id: string,
  episodes: number,
  signal: AbortSignal,
): Promise<string[]> {
  const ends = new Map<string, number>();
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  let finished = 0;
  for await (const event of bus.readEvents(id, { signal: either })) {
    if (event.type === "episode-finished") ends.set(event.episodeId, (ends.get(event.episodeId) ?? 0) + 1);
    if (isEnd(event)) finished++;
    if (finished > 0 && ends.size >= episodes) stop.abort();
  }
  const twice = [...ends]
    .filter(([, count]) => count > 1)
    .map(([name, count]) => `${name} ended ${count} times`);
  const missing = episodes - ends.size;
  return [
    ...twice,
    ...(missing > 0 ? [`${missing} of ${episodes} episodes have no end in the event log`] : []),
    ...(finished === 1 ? [] : [`the experiment ended ${finished} times in the event log`]),
  ];
}

function isEnd({ type }: RangeEvent): boolean {
  return type === "experiment-finished";
}
