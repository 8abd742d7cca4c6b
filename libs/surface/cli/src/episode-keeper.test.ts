import { mkdtempDisposable, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type EpisodeRecord,
  type ExperimentRecord,
  ExperimentRequest,
  noUsage,
  plannedRecord,
} from "@microremed/contracts";
import { aPlannedEpisode } from "@microremed/contracts/testing";
import { terminal } from "@microremed/core";
import { expect, test } from "vitest";
import { readBegun } from "./begun-episodes.ts";
import { createKeeper } from "./episode-keeper.ts";

const experiment: ExperimentRecord = {
  ...{ id: "exp", status: "completed", episodes: 3, harnessVersion: "1", range: "processes" },
  ...{ submittedAt: 0, finishedAt: 1 },
  request: ExperimentRequest.parse({ environment: "shop", model: "reference/noop" }),
};
const indexOf = (id: string): number => Number(id.split(".").at(-1));

test("an episode that cannot be read, or saved, keeps no other from the report and the files", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-keeper-"));
  const savePath = join(dir.path, "run");
  const said: string[] = [];
  const client = {
    experimentRecord: async () => experiment,
    episode: async (id: string) => {
      if (indexOf(id) === 0) throw terminal("invalid-message", "it is no record");
      const record = plannedRecord("exp", aPlannedEpisode({ index: indexOf(id) }));
      return { experiment, record: { ...record, outcome: "remediated" as const } };
    },
    conversation: async (id: string) => {
      if (indexOf(id) === 1) throw terminal("invalid-message", "it does not fit");
      return [];
    },
  };
  const keeper = await createKeeper(
    client,
    [{ experimentId: "exp" }],
    { savePath },
    { say: (text) => said.push(text) },
  );
  expect(await keeper.finish()).toBe(2);
  expect(said).toEqual([
    "episode 0 of exp is not kept: it is no record",
    "episode 1 of exp is not kept: it does not fit",
  ]);
  expect(keeper.report("completed").episodes.map(({ index }) => index)).toEqual([1, 2]);
  expect((await readdir(savePath)).sort()).toEqual([expect.stringMatching(/^0002_/), "request.yaml"]);
});

test("what an agent has been given of an episode is kept while it goes on, and is in its record once it is run again", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-keeper-"));
  const savePath = join(dir.path, "run");
  const planned = plannedRecord("part", aPlannedEpisode({ index: 0 }));
  const step = {
    ...{
      kind: "submit",
      tool: "nothing",
      arguments: null,
      reason: "it broke off",
      turn: { usage: noUsage, probes: 0 },
    },
    ...{ number: 1, attempt: 1, startedAt: 1, endedAt: 2, clusterTime: null, verdict: null, result: null },
  } as never;
  let record: EpisodeRecord = { ...planned, state: "solving", arena: null, steps: [] };
  const solving = { stage: "solve", trial: 1, attempt: 1, startedAt: 1, endedAt: null };
  const client = {
    experimentRecord: async () => ({ ...experiment, id: "part", episodes: 1 }),
    episode: async () => ({ experiment, record }),
    conversation: async () => [],
  };
  const before = { trial: 1, target: "cart", arena: null, reason: "interrupted", error: null, steps: [] };
  const keeper = await createKeeper(
    client,
    [{ experimentId: "part", numbers: [7] }],
    { savePath, whole: { ...experiment, done: [], earlier: new Map([[7, [before]]]) } },
    { say: () => {} },
  );
  const advanced = async (state: EpisodeRecord["state"]): Promise<void> => {
    const { alternatives: _, ...fields } = aPlannedEpisode({ index: 0 });
    const event = {
      experimentId: "part",
      at: 0,
      type: "episode-advanced",
      episodeId: record.id,
      state,
    } as const;
    keeper.see({ ...fields, ...event, trial: 1, attempt: 1, cluster: null, note: "" });
    await keeper.settle(60_000);
  };
  await advanced("prepared");
  expect(await readBegun(savePath)).toEqual(new Map());
  // Its turn has begun, and nothing is in the record yet.
  record = { ...record, timings: [solving] };
  await advanced("solving");
  const begun = { trial: 1, steps: [], error: { code: "cancelled" } };
  expect(await readBegun(savePath)).toMatchObject(new Map([[7, [before, begun]]]));
  record = { ...record, steps: [step], outcome: "not-solved" };
  expect(await keeper.finish()).toBe(0);
  expect(await readBegun(savePath)).toEqual(new Map());
  const [file = ""] = (await readdir(savePath)).filter((name) => name.startsWith("0007_"));
  const saved = JSON.parse(await readFile(join(savePath, file), "utf8"));
  expect(saved).toMatchObject({ index: 7, earlier: [before], steps: [{ number: 1 }] });
  expect(keeper.report("completed").episodes).toMatchObject([{ earlierTrials: 1 }]);
});

test("what an agent has been given is kept by one writer at a time, and not after its episode has ended", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-keeper-"));
  const savePath = join(dir.path, "run");
  const timings = [{ stage: "solve", trial: 1, attempt: 1, startedAt: 1, endedAt: null }] as const;
  const record = { ...plannedRecord("exp", aPlannedEpisode({ index: 0 })), timings: [...timings] };
  let reading = 0;
  let most = 0;
  const client = {
    experimentRecord: async () => ({ ...experiment, episodes: 1 }),
    episode: async () => {
      reading += 1;
      most = Math.max(most, reading);
      await new Promise((resolve) => setImmediate(resolve));
      reading -= 1;
      return { experiment, record };
    },
    conversation: async () => [],
  };
  const said: string[] = [];
  const keeper = await createKeeper(
    client,
    [{ experimentId: "exp" }],
    { savePath },
    { say: (text) => said.push(text) },
  );
  const { alternatives: _, ...fields } = aPlannedEpisode({ index: 0 });
  const event = { ...fields, experimentId: "exp", episodeId: record.id, at: 0, trial: 1, attempt: 1 };
  for (const state of ["solving", "acting", "solving", "grading"] as const)
    keeper.see({ ...event, type: "episode-advanced", state, cluster: null, note: "" });
  keeper.see({ ...event, type: "episode-finished", outcome: "remediated", reason: null } as never);
  await keeper.settle(60_000);
  expect({ most, said }).toEqual({ most: 1, said: [] });
  expect((await readdir(savePath)).sort()).toEqual([expect.stringMatching(/^0000_/), "request.yaml"]);
  expect(await keeper.finish()).toBe(0);
});
