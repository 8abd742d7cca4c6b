import { ExperimentRequest, plannedRecord } from "@microremed/contracts";
import { aPlannedEpisode, aRunningExperiment } from "@microremed/contracts/testing";
import { silentLogger } from "@microremed/core";
import { createMemoryState } from "@microremed/state/memory";
import { expect, test } from "vitest";
import { quarantineMs } from "./quarantine.ts";
import type { SchedulerDeps } from "./service.types.ts";
import { aCatalog } from "./testing/catalog.ts";
import { tick } from "./tick.ts";

const unreadable = "broken.0";
const request = ExperimentRequest.parse({ environment: "shop", model: "m", failures: { random: 1_200 } });

/** A range in which one episode and one experiment cannot be read; `calls` is what was done all the same. */
function range(state: object = {}) {
  const calls: string[] = [];
  const warnings: object[] = [];
  const did =
    (what: string) => async (one: { episodeId?: string; id?: string; cluster?: string } | string) => {
      calls.push(`${what} ${typeof one === "string" ? one : (one.episodeId ?? one.id ?? one.cluster)}`);
      return true;
    };
  const lease = (episodeId: string, slot: number) => ({
    episodeId,
    cluster: "c1",
    slot,
    fence: 1,
    over: false,
  });
  const get = async (id: string) => {
    calls.push(`get ${id}`);
    if (id === unreadable) throw new Error("the record cannot be read");
    return { id, state: "solving", arena: { cluster: "c1", slot: Number(id.split(".")[1]) } };
  };
  const experiment = async (id: string) => {
    if (id === "broken") throw new Error("the record cannot be read");
    const record = { id, request, status: "running" };
    return { record, done: id === "full" ? 1_200 : 0, cancelled: false, planned: 1_000, total: 1_200 };
  };
  const deps = {
    now: () => quarantineMs,
    log: { ...silentLogger, warn: (fields: object) => warnings.push(fields) },
    catalog: aCatalog,
    dispatchSoon: () => {},
    relaySoon: () => {},
    state: {
      episodes: { get, overdue: async () => [unreadable, "good.7"], pendingCount: async () => 0 },
      experiments: {
        get: experiment,
        running: async () => ["broken", "good", "full"],
        waiting: async () => [],
        extend: did("extend"),
        finish: did("finish"),
      },
      arenas: {
        expiring: async () => [lease(unreadable, 0), lease("good.1", 1), lease("good.2", 2)],
        renew: did("renew"),
        list: async () => [{ cluster: "c9", slot: 0, quarantined: "it broke", quarantinedAt: 0 }],
        readmit: did("readmit"),
      },
      ...state,
    },
  };
  return { calls, warnings, run: () => tick(deps as unknown as SchedulerDeps) };
}

test("a record that cannot be read stops nothing but what concerns it, and the log names it", async () => {
  const { calls, warnings, run } = range();
  await run();
  expect(calls.filter((call) => call.startsWith("renew"))).toEqual(["renew good.1", "renew good.2"]);
  expect(calls).toEqual(
    expect.arrayContaining(["get good.7", "extend good", "extend full", "finish full", "readmit c9"]),
  );
  expect(warnings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ episode: unreadable, cluster: "c1", slot: 0 }),
      expect.objectContaining({ experiment: "broken", error_message: "the record cannot be read" }),
    ]),
  );
});

test("a step that fails as a whole leaves the other steps alone", async () => {
  const { calls, warnings, run } = range({
    arenas: {
      expiring: () => Promise.reject(new Error("no leases")),
      list: () => Promise.reject(new Error("no arenas")),
    },
  });
  await run();
  expect(calls).toEqual(expect.arrayContaining(["get good.7", "extend good", "finish full"]));
  expect(warnings).toContainEqual(expect.objectContaining({ error_message: "no leases" }));
});

test("the arena of an episode that no scheduler can read is taken back, logged, and used again after its quarantine", async () => {
  let now = 1_000_000;
  await using state = createMemoryState({ now: () => now });
  const errors: object[] = [];
  const log = { ...silentLogger, error: (fields: object) => errors.push(fields) };
  // What this scheduler wrote itself it remembers: another one has to read it.
  await using ours = state.connect();
  const deps = { now: () => now, log, catalog: aCatalog, dispatchSoon: () => {}, state: ours };
  const pass = async (ms: number) => {
    now += ms;
    await tick(deps as unknown as SchedulerDeps);
  };
  const episodes = [0, 1].map((index) => plannedRecord("exp", aPlannedEpisode({ index })));
  const experiment = aRunningExperiment("exp", request, 2);
  await state.experiments.create(experiment, { wants: "shop@", episodes, messages: [] });
  await state.arenas.register([{ name: "c1", arenas: 1 }]);
  const lease = await state.arenas.leaseNext({ claimMs: 60_000 });
  const { cluster = "", slot = 0, fence = 0 } = lease ?? {};
  const arena = { cluster, slot, fence, namespace: "shop" };
  const [first] = episodes;
  if (!first) throw new Error("no episode");
  const next = { ...first, arena, state: "of-a-later-version" as never };
  const effect = { kind: "take", arena, leaseMs: 60_000 } as const;
  await state.episodes.transition(0, { next, messages: [], effect });

  for (let minute = 0; minute < 2; minute++) await pass(60_000);
  expect(await state.arenas.list()).toMatchObject([{ episode: first.id, quarantined: null }]);
  await pass(60_000);
  expect(await state.arenas.list()).toMatchObject([
    { episode: null, fence: fence + 1, quarantined: expect.stringContaining(first.id) },
  ]);
  expect(errors).toMatchObject([{ episode: first.id, cluster: "c1", slot: 0 }]);
  await pass(quarantineMs);
  expect(await state.arenas.list()).toMatchObject([{ episode: null, quarantined: null, deployed: null }]);
  expect(await state.arenas.leaseNext({ claimMs: 1 })).toMatchObject({
    episodeId: "exp.0001",
    fence: fence + 2,
  });
  expect(errors).toHaveLength(1);
});
