import { type EpisodeRecord, noUsage, type SubmitStep, submitTool } from "@microremed/contracts";
import { expect, test } from "vitest";
import { plainTable, type Report, renderTable } from "./index.ts";
import {
  averagesTable,
  episodesTable,
  failuresTable,
  headingTable,
  leaderboardTable,
  qualityTable,
  ranked,
  settingsTable,
  totalsTable,
} from "./tables.ts";
import { detectionTable, judgeTable, partsTable, tasksTable, timeTable } from "./task-tables.ts";
import { anAct, anEpisode, aReport } from "./testing/a-report.ts";
import { misfits } from "./testing/misfits.ts";

/** A matrix with names as long as users choose them. */
function aWideReport(): Report {
  const models = [
    "openrouter/anthropic/claude-sonnet-4.5-20250929:thinking",
    "azure/our-gpt-5-deployment-eu-west-1",
  ];
  const methods = ["ThinkRemedWithRetrieval", "a-method-of-our-own"];
  const failures = ["cpu-stress", "a-failure-of-our-own-with-a-long-name", "memory-stress", "network-delay"];
  const settings = {
    stated: "temperature 0, at most 8192 tokens, reasoning high, 16 tools",
    deviations: ["temperature of the provider's choice", "maxTokens 32768"],
  };
  const step = anAct();
  const episodes = models.flatMap((model, m) =>
    methods.flatMap((method, n) =>
      failures.map((failure, f) => {
        const index = (m * methods.length + n) * failures.length + f;
        return anEpisode(index, {
          ...{ model, method, failure, target: "a-service-with-a-long-name-0123456789" },
          ...{ reason: "latency: pod cartservice-5f6bd9c7d8-zzkl4 answers after 1043.25 ms" },
          steps: [{ ...step, turn: { ...step.turn, settings } }],
          outcome: (index % 3 === 0 ? "not-remediated" : "remediated") as EpisodeRecord["outcome"],
        });
      }),
    ),
  );
  return aReport(episodes);
}

const wide = aWideReport();
const wideGroups = ranked(wide.groups);

test.each([
  ["result", totalsTable(wideGroups)],
  ["quality", qualityTable(wideGroups)],
  ["settings", settingsTable(wideGroups)],
  ["by failure", failuresTable(wideGroups)],
  ["averages", averagesTable(wideGroups)],
  ["episodes", episodesTable(wide)],
  ["leaderboard", leaderboardTable([wide])],
])("the table %s fits 80 columns with long names", (_, table) => {
  expect(
    Math.max(
      ...plainTable(table)
        .split("\n")
        .map((line) => line.length),
    ),
  ).toBeGreaterThan(80);
  expect(misfits(plainTable(table, 80), table, 80)).toEqual([]);
});

/** Four tasks on problems with several faults, twice each. */
function aReportOfTasks(): Report {
  const tasks = ["detection", "localization", "analysis", "mitigation"];
  const suite = "a-suite-of-our-own-with-a-long-name@12";
  const episodes = tasks.flatMap((task, t) =>
    [1, 2].map((repeat) => {
      const answer: SubmitStep = {
        ...{ number: 1, attempt: 1, startedAt: null, endedAt: null, clusterTime: null },
        ...{ kind: "submit", tool: submitTool, arguments: {}, reason: null, verdict: null },
        turn: { usage: { ...noUsage, completionTokens: 250 }, probes: 3, toolClusterMs: 20_500 },
        result: {
          ...{ passed: repeat === 1, score: 1 / repeat, parts: { f1: 1 / repeat, system_level: 1 } },
          ...{ reason: "", alarm: repeat === 1 },
          judgement: {
            ...{ model: "vendor/a-judge-with-a-long-name-0123456789", correct: true, reason: "" },
            usage: { ...noUsage, promptTokens: 300, completionTokens: 20, cost: 0.002 },
          },
        },
      };
      const problem: NonNullable<EpisodeRecord["problem"]> = {
        ...{ id: `${suite}/shop-loses-packets-and-computes`, environment: "corner-shop" },
        further: [{ failure: "network-loss", target: "database", at: 60 }],
        ...{ report: "none", concealment: "neutral" },
      };
      return anEpisode(t * 2 + repeat, {
        ...{ task, repeat, problem, caseId: `1/${problem.id}@${task}`, steps: [answer] },
        outcome: repeat === 1 ? "solved" : "not-solved",
        model: "openrouter/anthropic/claude-sonnet-4.5-20250929:thinking",
        injection: {
          injectedAt: 0,
          expiresAt: null,
          verdict: { oracle: "cpu", passed: true, reason: "", measurements: [] },
        },
      });
    }),
  );
  return aReport(episodes, { thinkTime: 8 });
}

const ofTasks = aReportOfTasks();

test.each([
  ["by task", tasksTable(ofTasks.groups)],
  ["detection", detectionTable(ofTasks.groups)],
  ["judge", judgeTable(ofTasks.groups)],
  ["parts", partsTable(ofTasks.groups)],
  ["times", timeTable(ofTasks.groups)],
  ["episodes of problems", episodesTable(ofTasks)],
])("the table of tasks %s fits 80 columns", (_, table) => {
  expect(table.length).toBeGreaterThan(1);
  expect(misfits(plainTable(table, 80), table, 80)).toEqual([]);
});

test("repeats of a task show TTD, TTL, TTA, TTM, pass^k and pass@k, in tables and in JSON", () => {
  // 20.5 s of tools and 250 tokens at 8 s for 1,000 of them, of the run that passed.
  expect(timeTable(ofTasks.groups).map((row) => row.slice(2, 7))).toEqual([
    ["task", "time to it", "s", "before asked", "thinking"],
    ["detection", "TTD", "22.5", "0.0", "2.0"],
    ["localization", "TTL", "22.5", "0.0", "2.0"],
    ["analysis", "TTA", "22.5", "0.0", "2.0"],
    ["mitigation", "TTM", "22.5", "0.0", "2.0"],
  ]);
  const [heading, detection] = tasksTable(ofTasks.groups);
  const cell = (name: string) => detection?.[heading?.indexOf(name) ?? -1];
  expect([cell("pass^2"), cell("pass@2"), cell("time to it, s")]).toEqual(["0 %", "100 %", "22.5"]);
  const document = JSON.parse(JSON.stringify(ofTasks));
  expect(document.groups[0].summary.tasks[0]).toMatchObject({
    ...{ task: "detection", seconds: 22.5, passHat: [{ value: 0.5 }, { value: 0 }] },
    passAt: [{ value: 0.5 }, { value: 1 }],
    confusion: { hits: 1, misses: 1 },
  });
});

test("what a judge costs is in no number of the agent's, and the report says how often it agrees", () => {
  const { tasks } = ofTasks.groups[0]?.summary ?? {};
  expect(tasks?.[0]).toMatchObject({ tokens: 250, cost: 0 });
  expect(tasks?.[0]?.judge).toMatchObject({
    ...{ of: 2, failed: 0, bothPassed: 1, onlyJudge: 1, agreement: 0.5, kappa: 0, tokens: 640 },
    cost: 0.004,
  });
  expect(ofTasks.episodes[0]).toMatchObject({ tokens: 250, cost: 0 });
  expect(renderTable(ofTasks, 80)).toContain("JUDGE OF FREE TEXT");
  expect(renderTable(wide, 80)).not.toContain("JUDGE");
});

test("problems are named with all of their faults", () => {
  expect(ofTasks.episodes[0]).toMatchObject({
    problem: "a-suite-of-our-own-with-a-long-name@12/shop-loses-packets-and-computes",
    failure: "cpu-stress + network-loss",
    incident: [
      { failure: "cpu-stress", target: "cartservice" },
      { failure: "network-loss", target: "database" },
    ],
  });
  expect(Object.keys(ofTasks.summary.byFailure)).toEqual(["cpu-stress + network-loss"]);
});

test("a whole report fits 80 columns with long names", () => {
  for (const report of [wide, ofTasks])
    expect(misfits(renderTable(report, 80), headingTable(report), 80)).toEqual([]);
});

test("a task of a cycle is another row than the task by itself", () => {
  const names = (task: string) =>
    tasksTable(
      aReport(
        ofTasks.episodes.slice(0, 1).map(({ index }) => {
          const usage = { ...noUsage, completionTokens: 1 };
          const answer: SubmitStep = {
            ...{
              number: 1,
              attempt: 1,
              task: "detection",
              startedAt: null,
              endedAt: null,
              clusterTime: null,
            },
            ...{ kind: "submit", tool: submitTool, arguments: {}, reason: null, verdict: null },
            turn: { usage, probes: 0, toolClusterMs: 0 },
            result: { passed: true, score: 1, parts: {}, reason: "" },
          };
          return anEpisode(index, { task, steps: [answer], outcome: "solved" });
        }),
      ).groups,
    ).map((row) => row[2]);
  expect(names("detection")).toEqual(["task", "detection"]);
  expect(names("cycle")).toEqual(["task", "cycle: detection"]);
});

test("the table of episodes has the first line of a reason, and no column in which all say the same", () => {
  const [first, second] = ofTasks.episodes.filter(({ task }) => task === "detection");
  if (!first || !second) throw new Error("there are two");
  const reason = `the answer does not fit: ${"x".repeat(300)}\n{"type": "object"}`;
  const two = [first, { ...second, reason, repeat: first.repeat }];
  const [heading = [], , row = []] = episodesTable({ ...ofTasks, episodes: two });
  expect(heading).toEqual([
    ...["#", "problem", "outcome", "attempts", "model s", "cluster s", "tokens", "reason"],
  ]);
  expect(row.at(-1)).toMatch(/^the answer does not fit: x{1,175} \.\.\.$/);
  const other = [first, { ...second, model: "another", reason: "short\n{}" }];
  const [names = [], , named = []] = episodesTable({ ...ofTasks, episodes: other });
  expect(names).toEqual(expect.arrayContaining(["model", "run"]));
  expect(names).not.toContain("task");
  expect(named.at(-1)).toBe("short ...");
});
