import {
  type EpisodeRecord,
  noUsage,
  playbookTool,
  type Step,
  submitTool,
  type Usage,
} from "@microremed/contracts";
import { aVerdict } from "@microremed/contracts/testing";
import { expect, test } from "vitest";
import { turnTimes } from "./episode-clock.ts";
import { taskRows } from "./task-row.ts";
import { taskSummaries } from "./task-summary.ts";

const at = (seconds: number) => 1_000_000 + seconds * 1000;
const measured = (seconds: number) => [
  {
    oracle: "cpu",
    passed: true,
    reason: "",
    measurements: [{ name: "cpu", value: 1, unit: "cores", threshold: null, at: at(seconds) }],
  },
];
const usage: Usage = { ...noUsage, calls: 2, promptTokens: 400, completionTokens: 500, modelSeconds: 8 };
const place = { number: 1, attempt: 1, startedAt: null, endedAt: null, clusterTime: null };

/** An answer after tools that took 20 s of cluster time and two model calls of 8 s together. */
function anAnswer(passed: boolean, task?: string, alarm = passed): Step {
  return {
    ...place,
    kind: "submit",
    tool: submitTool,
    arguments: {},
    reason: null,
    turn: { usage, probes: 3, toolClusterMs: 20_000 },
    verdict: null,
    result: { passed, score: passed ? 1 : 0.25, parts: { f1: passed ? 1 : 0.25 }, reason: "", alarm },
    ...(task !== undefined && { task }),
  };
}

/** A playbook, started after so many seconds; the system recovered, or was measured last, after so many. */
function anAct(started: number, ended: number, recovered: boolean): Step {
  const { disruption } = aVerdict;
  const recoveredSeconds = recovered ? ended : null;
  return {
    ...place,
    task: "mitigation",
    kind: "act",
    tool: playbookTool,
    arguments: {},
    result: { status: "ok", exitCode: 0, output: "", wallSeconds: 1, startedAt: at(started) },
    turn: { usage, probes: 0, toolClusterMs: 0 },
    verdict: {
      ...aVerdict,
      recovered,
      oracles: measured(ended),
      disruption: { ...disruption, recoveredSeconds },
    },
    grade: { passed: recovered, score: Number(recovered), parts: {}, reason: "" },
  };
}

const anEpisode = (steps: Step[], change: Partial<EpisodeRecord> = {}) => ({
  task: "detection",
  failure: "cpu-stress",
  outcome: "solved" as const,
  injection: { injectedAt: at(0), expiresAt: null, verdict: measured(10)[0] as never },
  steps,
  ...change,
});

test.each([
  ["counted", 10 + 20 + 8],
  ["zero", 10 + 20],
  [30, 10 + 20 + 15],
] as const)("from the injection to the answer, think time %s: %d s", (thinkTime, seconds) => {
  const [row] = taskRows(anEpisode([anAnswer(true)]), thinkTime);
  expect(row).toMatchObject({
    task: "detection",
    passed: true,
    seconds,
    toolCalls: 3,
    tokens: 900,
    steps: 1,
  });
  expect(row?.time).toEqual({ before: 10, thinking: seconds - 30, tools: 20, acting: 0 });
});

test("a wrong answer has no time to it, nor one where nothing was injected", () => {
  expect(taskRows(anEpisode([anAnswer(false)]), "zero")).toMatchObject([{ seconds: null, score: 0.25 }]);
  const calm = anEpisode([anAnswer(true)], { failure: "none" });
  expect(taskRows(calm, "zero")).toMatchObject([{ incident: false, passed: true, seconds: null }]);
});

test("tasks on one incident go on with the same clock; a failed repair and its verification count too", () => {
  const steps = [
    anAnswer(true, "detection"),
    anAnswer(true, "localization"),
    anAct(100, 160, false),
    anAct(170, 200, true),
  ];
  const rows = taskRows(anEpisode(steps, { task: "cycle" }), "zero");
  expect(rows.map(({ task, seconds, steps: done }) => [task, seconds, done])).toEqual([
    ["detection", 30, 1],
    ["localization", 50, 1],
    ["mitigation", 50 + 60 + 30, 2],
  ]);
  expect(rows.map(({ time }) => time.before)).toEqual([10, 0, 0]);
  expect(rows[2]?.time.acting).toBe(90);
});

test("an action within a turn counts as long as it took, what is judged after it until the system had recovered", () => {
  const act = anAct(40, 0, false);
  const done = anAnswer(true, "mitigation");
  if (act.kind !== "act" || act.result === null || done.kind !== "submit")
    throw new Error("an act and an end");
  const { verdict } = anAct(0, 90, true) as typeof act;
  const steps: Step[] = [
    { ...act, goesOn: true, verdict: null, grade: null, result: { ...act.result, clusterSeconds: 5 } },
    { ...done, tool: "nothing", verdict },
  ];
  const [row] = taskRows(anEpisode(steps, { task: "mitigation" }), "zero");
  // Proof 10, the action 5, tools 20, and from its end at 45 to the recovery at 90.
  expect(row).toMatchObject({ seconds: 10 + 5 + 20 + 45, time: { acting: 50, tools: 20 }, answered: true });
});

test("what was not measured is not known, and known where it counts nothing", () => {
  const { modelSeconds: _, ...unmeasured } = usage;
  const old = anAnswer(true);
  if (old.kind !== "submit") throw new Error("it is an answer");
  const episode = anEpisode([{ ...old, turn: { usage: unmeasured, probes: 0 } }]);
  expect(turnTimes(episode, "counted")).toMatchObject([{ endsAt: null }]);
  expect(turnTimes(episode, "zero")).toMatchObject([{ endsAt: 10 }]);
  const withoutTools = anEpisode([{ ...old, turn: { usage, probes: 2 } }]);
  expect(turnTimes(withoutTools, "zero")).toMatchObject([{ endsAt: null }]);
});

test("an episode that says nothing of its agent has no task", () => {
  expect(taskRows(anEpisode([anAnswer(true)], { outcome: "harness-error" }), "zero")).toEqual([]);
});

test("detection is counted as a table, means are of what is known", () => {
  const silent = { ...anAnswer(false), tool: "nothing", result: null } as Step;
  const rows = [
    ...taskRows(anEpisode([anAnswer(true)]), "zero"),
    ...taskRows(anEpisode([anAnswer(false)], { outcome: "not-solved" }), "zero"),
    ...taskRows(anEpisode([silent], { outcome: "not-solved" }), "zero"),
    ...taskRows(
      anEpisode([anAnswer(false, undefined, true)], { failure: "none", outcome: "not-solved" }),
      "zero",
    ),
    ...taskRows(anEpisode([anAnswer(true, undefined, false)], { failure: "none" }), "zero"),
  ];
  const ofCase = (caseId: string) => ({ caseId, model: "m", method: "X" });
  const runs = rows.map((row, place) => ({
    ...row,
    earlierTrials: 0,
    ...ofCase(place < 2 ? "twice" : String(place)),
  }));
  expect(taskSummaries(runs, 0)).toMatchObject([
    {
      task: "detection",
      // Of the four cases one ran twice and passed once; of the others one passed.
      passHat: [
        { k: 1, value: 1.5 / 4 },
        { k: 2, value: 0 },
      ],
      passAt: [
        { k: 1, value: 1.5 / 4 },
        { k: 2, value: 1 },
      ],
      of: 5,
      passed: 2,
      rate: 0.4,
      seconds: 30,
      parts: { f1: (1 + 0.25 + 0.25 + 1) / 4 },
      confusion: {
        hits: 1,
        misses: 1,
        falseAlarms: 1,
        correctRejections: 1,
        silentInIncident: 1,
        silentInCalm: 0,
      },
    },
  ]);
});

/** A watch whose windows of 60 s ended so many seconds after the injection, negative before it, with an alarm in the last or none. */
function aWatch(
  ends: readonly number[],
  alarm: boolean,
  passed: boolean,
  change: Partial<EpisodeRecord> = {},
) {
  const steps = ends.map(
    (end, i): Step => ({
      ...anAnswer(passed, undefined, alarm && i === ends.length - 1),
      clusterTime: at(end),
      attempt: i + 1,
    }),
  );
  const watched = { from: at((ends[0] ?? 0) - 60), askedAt: at(ends.at(-1) ?? 0), windowSeconds: 60 };
  return anEpisode(steps, { task: "monitoring", watched, ...change });
}
const calm = {
  injectedAt: at(-500),
  expiresAt: null,
  verdict: { ...measured(0)[0], oracle: "none" } as never,
};

test("a watch: the delay is from the injection to the alarm, an alarm before it is false, and healthy time is counted", () => {
  const hit = taskRows(aWatch([-40, 20, 80], true, true), "zero");
  expect(hit).toMatchObject([
    {
      task: "monitoring",
      incident: true,
      alarm: true,
      passed: true,
      // Asked 80 s after the injection, and the tools of that turn took 20 s.
      seconds: 100,
      time: { before: 80, thinking: 0, tools: 20, acting: 0 },
      healthySeconds: 100,
    },
  ]);
  const early = taskRows(aWatch([60, 120], true, false, { injection: calm }), "zero");
  expect(early).toMatchObject([
    { incident: true, early: true, alarm: true, seconds: null, healthySeconds: 120 },
  ]);
  const missed = taskRows(aWatch([-40, 20], false, false), "zero");
  expect(missed).toMatchObject([{ incident: true, alarm: false, healthySeconds: 100 }]);
  const quiet = taskRows(aWatch([60, 120, 180], false, true, { injection: calm, failure: "none" }), "zero");
  expect(quiet).toMatchObject([{ incident: false, alarm: false, passed: true, healthySeconds: 180 }]);
  // What the agent waits between two windows is no healthy time.
  const waited = taskRows(aWatch([60, 500, 900], false, true, { injection: calm, failure: "none" }), "zero");
  expect(waited).toMatchObject([{ healthySeconds: 180 }]);

  const runs = [...hit, ...early, ...missed, ...quiet].map((row, i) => ({
    ...row,
    caseId: String(i),
    model: "m",
    method: "X",
    earlierTrials: 0,
  }));
  const hours = (100 + 120 + 100 + 180) / 3600;
  expect(taskSummaries(runs, 0)).toMatchObject([
    {
      confusion: { hits: 1, misses: 2, falseAlarms: 1, correctRejections: 1 },
      alarms: { hitRate: 1 / 3, precision: 0.5, healthyHours: hours, falseAlarmsPerHour: 1 / hours },
    },
  ]);
});

test("who raises every alarm before the fault of a watch has found no fault", () => {
  const early = taskRows(aWatch([60], true, false, { injection: calm }), "zero");
  const runs = early.map((row) => ({ ...row, caseId: "c", model: "m", method: "X", earlierTrials: 0 }));
  const [summary] = taskSummaries(runs, 0);
  expect(summary?.alarms).toMatchObject({ hitRate: 0, precision: 0 });
  // A watch that ended early without an answer is an incident too.
  const [both] = taskSummaries([...runs, ...runs.map((row) => ({ ...row, alarm: null }))], 0);
  expect(both?.confusion).toMatchObject({ hits: 0, misses: 1, silentInIncident: 1, falseAlarms: 1 });
});
