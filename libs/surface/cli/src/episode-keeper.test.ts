import { mkdtempDisposable, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ExperimentRecord, ExperimentRequest, plannedRecord } from "@microremed/contracts";
import { aPlannedEpisode } from "@microremed/contracts/testing";
import { terminal } from "@microremed/core";
import { expect, test } from "vitest";
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
