import { type EpisodeRecord, ExperimentRequest, experimentIdOf, plannedRecord } from "@microremed/contracts";
import { aPlannedEpisode, aRunningExperiment, oldEpisodes } from "@microremed/contracts/testing";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { startRange } from "./testing/range.ts";

const id = "old";
const request = ExperimentRequest.parse({
  environment: "shop",
  model: "reference/noop",
  failures: ["cpu-stress", "cpu-stress", "cpu-stress", "cpu-stress", "cpu-stress"],
  maxAttempts: 3,
});
const names = ["checked-0", "generating-1", "executing-2", "verifying-2", "judged-3"];

/** What 0.1.0 stored of an episode that was under way, as if it had held this episode's arena just now. */
function oldBody(name: string, { arena, index, version }: EpisodeRecord): string {
  const stored = oldEpisodes()[name] as { timings: object[] };
  const episode = { id: `${id}.000${index}`, experimentId: id, index, arena, version };
  const timings = stored.timings.map((timing, i) =>
    i === stored.timings.length - 1 ? { ...timing, startedAt: Date.now() } : timing,
  );
  return JSON.stringify({ ...stored, ...episode, timings });
}

test("an experiment that ran under 0.1.0 goes on, each episode from the stage that was out", async () => {
  await using range = await startRange();
  const { experiments, arenas, episodes } = range.state;
  await arenas.register([{ name: "c1", arenas: names.length }]);
  const planned = names.map((_, index) => plannedRecord(id, aPlannedEpisode({ index })));
  const record = { ...aRunningExperiment(id, request, names.length), submittedAt: Date.now() };
  await experiments.create(record, { wants: "shop@", episodes: planned, messages: [] });
  const redis = new Redis(range.redisUrl);
  for (const name of names) {
    const lease = await arenas.leaseNext({ claimMs: 60_000 });
    if (!lease) throw new Error("no arena");
    expect(experimentIdOf(lease.episodeId)).toBe(id);
    const waiting = await episodes.get(lease.episodeId);
    if (!waiting) throw new Error("no episode");
    const arena = { cluster: lease.cluster, slot: lease.slot, fence: lease.fence, namespace: "shop" };
    const effect = { kind: "take", arena, leaseMs: 60_000 } as const;
    const next = { ...waiting, arena, state: "leased" } as const;
    await episodes.transition(waiting.version, { next, messages: [], effect, checkAt: 1 });
    const taken = { ...next, version: waiting.version + 1 };
    await redis.hset(`microremed:episode:${lease.episodeId}`, "body", oldBody(name, taken));
  }
  redis.disconnect();

  await range.addScheduler();
  const isSent = () => range.commands.length > 0;
  // Where something waits in a queue, a second reading a minute later says whether it is served.
  await expect.poll(() => isSent() || void range.skip(61_000), { interval: 3_000 }).toBeTruthy();
  await range.untilFinished(id);
  const ended = await range.episodes(id);
  expect(ended.map(({ state, recordVersion, trial }) => ({ state, recordVersion, trial }))).toEqual(
    names.map(() => ({ state: "done", recordVersion: 2, trial: 1 })),
  );
  const first = (index: number) => range.commands.find((command) => command.startsWith(`${id}.000${index}/`));
  expect(names.map((_, index) => first(index)?.split("/").slice(2).join("/"))).toEqual([
    "0/inject",
    "2/solve",
    "2/act",
    "2/grade",
    "3/restore",
  ]);
});
