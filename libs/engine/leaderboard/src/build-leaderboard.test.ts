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
  return { folder: agent, report: episodes, missing: [], digest: agent.padEnd(64, "0"), signed, ...over };
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
