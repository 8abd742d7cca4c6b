import { ExperimentRequest, plannedRecord } from "@microremed/contracts";
import { aPlannedEpisode, aRunningExperiment } from "@microremed/contracts/testing";
import { silentLogger as log, terminal } from "@microremed/core";
import { createMemoryState } from "@microremed/state/memory";
import { expect, test } from "vitest";
import { dispatch } from "./dispatch.ts";
import type { Catalog, SchedulerDeps } from "./service.types.ts";
import { aCatalog } from "./testing/catalog.ts";

const lacking: Catalog = {
  ...aCatalog,
  namespaceOf: (name) => {
    throw terminal("unknown-environment", `there is no environment "${name}"`);
  },
};

test("an experiment whose environment this scheduler lacks ends as the harness's fault, and others get the arenas", async () => {
  await using state = createMemoryState();
  const request = (namespace?: string) =>
    ExperimentRequest.parse({ environment: "theirs", model: "m", ...(namespace && { namespace }) });
  const create = (id: string, asked: ExperimentRequest) =>
    state.experiments.create(aRunningExperiment(id, asked, 2), {
      wants: "theirs@",
      episodes: [0, 1].map((index) => plannedRecord(id, aPlannedEpisode({ index }))),
      messages: [],
    });
  await state.arenas.register([{ name: "c1", arenas: 2 }]);
  await create("unknown", request());
  const deps = {
    state,
    log,
    catalog: lacking,
    now: () => state.now(),
    bus: { publish: async () => {} },
    modelWatch: { note: async () => {} },
    onStep: () => {},
    dispatchSoon: () => {},
    relaySoon: () => {},
  } as unknown as SchedulerDeps;
  await dispatch(deps);
  const ended = await state.episodes.getMany(["unknown.0000", "unknown.0001"]);
  expect(ended).toHaveLength(2);
  for (const episode of ended) {
    expect(episode).toMatchObject({ state: "done", outcome: "harness-error", arena: null });
    expect(episode.reason).toMatch(
      /the scheduler's catalogue: there is no environment "theirs".*CATALOGUE_DIRS/,
    );
  }
  expect(await state.experiments.running()).toEqual([]);
  expect((await state.arenas.list()).map(({ episode }) => episode)).toEqual([null, null]);

  await create("named", request("theirs"));
  await dispatch(deps);
  expect((await state.arenas.list()).map(({ episode }) => episode)).toEqual(["named.0000", "named.0001"]);
});
