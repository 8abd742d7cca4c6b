import { expect, test } from "vitest";
import { z } from "zod";
import { RangeEvent } from "../messages/range-event.ts";
import { oldEpisodes } from "../testing/old-episodes.ts";
import { attemptsOf, lastVerdictOf, usageOf } from "./attempts.ts";
import { EpisodeRecord, StoredEpisode } from "./episode.ts";
import { stageOut } from "./episode-state.ts";

const old = oldEpisodes();

test.each([
  ["planned-0", "planned", undefined, 0],
  ["checked-0", "prepared", "inject", 0],
  ["generating-1", "solving", "solve", 1],
  ["executing-2", "acting", "act", 2],
  ["verifying-2", "grading", "grade", 2],
  ["judged-3", "restoring", "restore", 3],
] as const)("an open episode of 0.1.0 that was %s is %s", (name, state, stage, attempts) => {
  const record = StoredEpisode.parse(old[name]);
  expect(record).toMatchObject({ recordVersion: 2, state });
  expect(stageOut[record.state]).toBe(stage);
  expect(attemptsOf(record)).toHaveLength(attempts);
  // Written and read again, it is what it is.
  expect(StoredEpisode.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
  expect(EpisodeRecord.parse(record)).toEqual(record);
  if (stage !== undefined) expect(record.timings.at(-1)).toMatchObject({ stage, endedAt: null });
});

test("its attempts are steps that say the same", () => {
  const before = z.looseObject({ attempts: z.array(z.looseObject({})) }).parse(old["judged-3"]);
  const record = StoredEpisode.parse(old["judged-3"]);
  const fields = (attempt: object) => {
    const { number, playbook, noPlaybookReason, probes, usage, execution, verdict } = attempt as never;
    return { number, playbook, noPlaybookReason, probes, usage, execution, verdict };
  };
  expect(attemptsOf(record).map(fields)).toEqual(before.attempts.map(fields));
  expect(record.steps).toMatchObject([1, 2, 3].map((attempt) => ({ number: attempt, attempt, kind: "act" })));
  expect(record.steps.every(({ startedAt, endedAt }) => (startedAt ?? 0) < (endedAt ?? 0))).toBe(true);
  expect(lastVerdictOf(record)?.recovered).toBe(false);
  expect(usageOf(record).calls).toBe(3);
});

test("an attempt without a playbook keeps its reason", () => {
  const { attempts, ...rest } = old["judged-3"] as { attempts: object[] };
  const silent = {
    ...attempts[0],
    playbook: null,
    execution: null,
    verdict: null,
    noPlaybookReason: "it only talked",
  };
  const record = StoredEpisode.parse({ ...rest, attempts: [silent] });
  expect(record.steps).toMatchObject([
    { kind: "submit", tool: "nothing", reason: "it only talked", result: null },
  ]);
  expect(attemptsOf(record)).toMatchObject([
    { playbook: null, noPlaybookReason: "it only talked", answer: undefined },
  ]);
});

test("what is no episode of any version is refused, with what is wrong", () => {
  for (const value of [null, 7, {}, { attempts: 1 }, { ...(old["judged-3"] as object), state: "asleep" }])
    expect(StoredEpisode.safeParse(value).success).toBe(false);
  const wrong = StoredEpisode.safeParse({ ...(old["judged-3"] as object), state: "asleep" });
  expect(wrong.error?.issues.map(({ path }) => path.join("."))).toEqual(["state"]);
});

test("what is wrong is said of the version that it is of", () => {
  const said = (value: unknown) =>
    StoredEpisode.safeParse(value).error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  const record = StoredEpisode.parse(old["judged-3"]);
  expect(said({ ...record, recordVersion: 3 })).toEqual([
    "recordVersion: version 3 was written by a newer MicroRemed; this one reads up to 2: update it",
  ]);
  expect(said({ ...record, trial: 0 })).toEqual([expect.stringMatching(/^trial: /)]);
  const { trial: _trial, ...without } = old["judged-3"] as Record<string, unknown>;
  expect(said(without)).toEqual([expect.stringMatching(/^trial: no saved episode: .* none of 0.1.0: /)]);
});

test("events of 0.1.0 are read with today's names of states", () => {
  const event = {
    experimentId: "exp",
    at: 1,
    type: "episode-advanced",
    episodeId: "exp.0000",
    index: 0,
    failure: "cpu-stress",
    target: "cart",
    caseId: "1/0000/cpu-stress/cart",
    model: "m",
    method: "ThinkRemed",
    repeat: 1,
    trial: 1,
    attempt: 1,
    cluster: "c1",
    note: "injected",
  };
  expect(RangeEvent.parse({ ...event, state: "generating" })).toMatchObject({ state: "solving" });
  expect(RangeEvent.parse({ ...event, version: 2, state: "solving" })).toMatchObject({ version: 2 });
  expect(RangeEvent.safeParse({ ...event, state: "asleep" }).success).toBe(false);
});
