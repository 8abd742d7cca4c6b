import { createReport } from "@microremed/scoring";
import { anEpisode, aReport } from "@microremed/scoring/testing";
import { expect, test } from "vitest";
import { buildLeaderboard, type EnteredRun } from "./build-leaderboard.ts";
import { Leaderboard } from "./leaderboard.ts";
import { renderLeaderboard } from "./render-page.ts";

const partsOf = (task: string): string[] => [task];
const passed = (index: number) => anEpisode(index);
const failed = (index: number) => anEpisode(index, { outcome: "not-remediated" });

function aRun(agent: string, episodes: EnteredRun["report"], over: Partial<EnteredRun> = {}): EnteredRun {
  const signed = { agent, version: "1", by: "a team", key: "0123456789abcdef" };
  return {
    folder: agent,
    report: episodes,
    part: null,
    missing: [],
    digest: agent.padEnd(64, "0"),
    signed,
    ...over,
  };
}
const build = (runs: readonly EnteredRun[]) => Leaderboard.parse(buildLeaderboard(runs, "A board", partsOf));
const ranks = ({ boards }: Leaderboard) =>
  boards.map(({ entries }) =>
    entries.map(({ rank, agent, success }) => `${rank} ${agent} ${success.hits}/${success.of}`),
  );

test("the best comes first, equal ones share their rank, and the order of the runs does not matter", () => {
  const runs = [
    aRun("half", aReport([passed(0), failed(1)])),
    aRun("all", aReport([passed(0), passed(1)])),
    aRun("also-half", aReport([failed(0), passed(1)])),
  ];
  const expected = [["1 all 2/2", "2 also-half 1/2", "2 half 1/2"]];
  expect(ranks(build(runs))).toEqual(expected);
  expect(build(runs.toReversed())).toEqual(build(runs));
});

test("missing episodes, and errors after the agent had been given something, are failures", () => {
  const erred = anEpisode(1, { outcome: "harness-error" });
  const [first] = aReport([passed(0)]).episodes;
  const missing = [{ model: first?.model ?? "", method: first?.method ?? "" }];
  expect(ranks(build([aRun("a", aReport([passed(0)]), { missing })]))).toEqual([["1 a 1/2"]]);
  expect(ranks(build([aRun("a", aReport([passed(0), erred]))]))).toEqual([["1 a 1/2"]]);
  // It is there, and among the missing: it counts once.
  const left = anEpisode(1, { outcome: "cancelled", cancelledBy: "agent", steps: [] });
  expect(ranks(build([aRun("a", aReport([passed(0), left]), { missing })]))).toEqual([["1 a 1/2"]]);
});

test("runs that differ in more than their seed are on boards of their own", () => {
  const usual = aReport([passed(0)]);
  const others = [aReport([passed(0)], { maxAttempts: 9 }), aReport([passed(0)], { seed: 77 })];
  const boards = build([usual, ...others].map((report, i) => aRun(`a${i}`, report))).boards;
  expect(boards.map(({ entries }) => entries.map(({ agent }) => agent).sort())).toEqual([
    ["a0", "a2"],
    ["a1"],
  ]);
});

test("a part of a suite is on no board of the whole, and how often an agent may call makes no board", () => {
  const part = (cases: number[]) => ({ part: { planned: cases.length, of: 8 } });
  const first = aReport([passed(0)], { cases: [0, 1, 2] });
  const runs = [
    aRun("whole", aReport([passed(0)])),
    aRun("calls-more", aReport([failed(0)], { maxProbes: 100 })),
    aRun("part", first, part([0, 1, 2])),
    aRun("same-part", aReport([failed(0)], { cases: [2, 1, 0] }), part([0, 1, 2])),
    aRun("other-part", aReport([passed(0)], { cases: [0, 5] }), part([0, 5])),
    // All of them, named one by one.
    aRun("named", aReport([passed(0)], { cases: [0] })),
  ];
  const { boards } = build(runs);
  expect(boards.map(({ whole, entries }) => [whole, entries.map(({ agent }) => agent).sort()])).toEqual([
    [true, ["calls-more", "named", "whole"]],
    [false, ["other-part"]],
    [false, ["part", "same-part"]],
  ]);
  expect(boards[0]?.subject).not.toMatch(/default|undefined|part/);
  expect(boards[2]?.subject).toContain("a part, 3 of 8 episodes (cases 0-2)");
  expect(boards[1]?.subject).toContain("a part, 2 of 8 episodes (cases 0, 5)");
});

test("two lists of as many problems are two parts of their suite, all of them the suite", () => {
  const many = (from: number) => Array.from({ length: 7 }, (_, i) => `range@3/p-${from + i}`);
  const on = (problems: string[] | string) => aReport([passed(0)], { environment: undefined, problems });
  const part = { part: { planned: 7, of: 9 } };
  const { boards } = build([
    aRun("first", on(many(0)), part),
    aRun("again", on(many(0).toReversed()), part),
    aRun("second", on(many(1)), part),
    aRun("few", on(["range@3/b", "range@3/a"]), { part: { planned: 2, of: 9 } }),
    aRun("all", on(many(0))),
    aRun("suite", on("range@3")),
  ]);
  expect(
    boards
      .map(({ whole, entries }) => [
        whole,
        entries
          .map(({ agent }) => agent)
          .sort()
          .join(),
      ])
      .sort(),
  ).toEqual([
    [false, "again,first"],
    [false, "few"],
    [false, "second"],
    [true, "all,suite"],
  ]);
  expect(boards.map(({ subject }) => subject)).toContain(
    "the problems of range@3; a part, 2 of 9 episodes (problems range@3/a, range@3/b)",
  );
});

/** Of another experiment. */
const again = (report: EnteredRun["report"]) => ({ ...report, experimentId: "again" });

test("a run that one key has signed several times counts once, the one that lacks the least", () => {
  const whole = aReport([passed(0), failed(1)]);
  const [first] = whole.episodes;
  const missing = [{ model: first?.model ?? "", method: first?.method ?? "" }];
  const runs = [
    aRun("a", aReport([passed(0)]), { missing }),
    ...["b", "c", "d"].map((name) => aRun("a", whole, { digest: name.repeat(64) })),
  ];
  expect(ranks(build(runs))).toEqual([["1 a 1/2"]]);
  expect(build(runs.toReversed())).toEqual(build(runs));
});

test("runs of one agent, version and model are one row, of another key another one", () => {
  const runs = [
    aRun("a", aReport([passed(0), failed(1)], { seed: 1 })),
    aRun("a", again(aReport([passed(0), passed(1)], { seed: 2, maxProbes: 100 })), {
      digest: "b".repeat(64),
    }),
    aRun("a", aReport([failed(0)]), {
      digest: "c".repeat(64),
      signed: { agent: "a", version: "1", by: "a team", key: "another" },
    }),
    aRun("a", aReport([failed(0)]), { digest: "d".repeat(64), signed: null }),
    aRun("a", aReport([failed(0)]), { digest: "e".repeat(64), signed: null }),
  ];
  const [board] = build(runs).boards;
  expect(
    board?.entries.map(({ success, runs: own }) => [success.hits, success.of, own.map(({ seed }) => seed)]),
  ).toEqual([[3, 4, [1, 2]], ...[1, 1, 1].map(() => [0, 1, expect.any(Array)])]);
  expect(board?.entries[0]?.runs.map(({ maxProbes }) => maxProbes)).toEqual([null, 100]);
});

test("an unsigned run says so, and names in the page are no markup", () => {
  const report = createReport(
    {
      id: "x",
      request: aReport([]).request,
      status: "completed",
      harnessVersion: "0.1.0",
      range: "processes",
    },
    [anEpisode(0, { model: "<img src=x>" })],
  );
  const page = renderLeaderboard(build([aRun("", report, { signed: null })]));
  expect(page).toContain("not signed");
  expect(page).toContain("&lt;img src=x&gt;");
  expect(page).not.toContain("<img");
});
