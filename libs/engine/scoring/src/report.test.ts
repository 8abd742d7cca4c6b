import type { EpisodeRecord } from "@microremed/contracts";
import { aVerdict } from "@microremed/contracts/testing";
import { expect, test } from "vitest";
import {
  createReport,
  plainTable,
  renderBrief,
  renderHtml,
  renderMarkdown,
  renderTable,
  wilsonInterval,
} from "./index.ts";
import { leaderboardTable, totalsTable } from "./tables.ts";
import { anAct, anEpisode, aReport } from "./testing/a-report.ts";

test("the success rate leaves out injection failures, harness errors and cancellations", () => {
  const { summary } = aReport([
    anEpisode(0),
    anEpisode(1, { outcome: "not-remediated", failure: "disk-io" }),
    anEpisode(2, { outcome: "injection-failed" }),
    anEpisode(3, { outcome: "harness-error" }),
    anEpisode(4, { outcome: "cancelled" }),
  ]);
  expect(summary).toMatchObject({
    total: 5,
    injected: 2,
    remediated: 1,
    notRemediated: 1,
    injectionFailed: 1,
    harnessErrors: 1,
    cancelled: 1,
    successRate: 0.5,
  });
  expect(summary.byFailure["disk-io"]).toMatchObject({ injected: 1, remediated: 0, rate: 0 });
});

test("what an agent left before it was asked is said, and a failure in the second rate alone", () => {
  const left: Partial<EpisodeRecord> = { outcome: "cancelled", cancelledBy: "agent", steps: [] };
  const report = aReport([anEpisode(0), anEpisode(1, left), anEpisode(2, { ...left, failure: "none" })]);
  const { summary } = report;
  expect(summary).toMatchObject({
    ...{ successRate: 1, cancelled: 1, controlErrors: 1 },
    errorsAsFailures: { hits: 1, of: 2 },
    tasks: [{ of: 1, errorsAsFailures: { of: 2 } }],
  });
  expect(renderTable(report)).toContain("the agent left before 2 of 3 planned episodes");
  const researchers = aReport([anEpisode(0), anEpisode(1, { outcome: "cancelled", steps: [] })]);
  expect(researchers.summary.errorsAsFailures).toMatchObject({ hits: 1, of: 1 });
  const { request, ...rest } = report;
  const cut = createReport({ ...rest, id: "exp", request, neverPlanned: 7 }, [anEpisode(0)]);
  expect(renderTable(cut)).toContain("1 of 8 planned episodes");
});

/** A trial that an error had ended before this one. */
const earlier = {
  ...{ trial: 1, target: "cart", arena: null, reason: "it was away", steps: [anAct()] },
  error: { code: "cluster-unreachable", message: "it was away", details: {} },
};

test("a second rate counts harness errors as failures, once the agent has been given something, whatever came of the next trial", () => {
  const grade = { passed: true, score: 1, parts: {}, reason: "" };
  const clean = { steps: [{ ...anAct(), grade, verdict: { ...aVerdict, recovered: true, clean: true } }] };
  const report = aReport([
    anEpisode(0, clean),
    anEpisode(1, { outcome: "not-remediated" }),
    anEpisode(2, { outcome: "harness-error" }),
    anEpisode(3, { outcome: "harness-error", steps: [] }),
    anEpisode(4, { outcome: "injection-failed" }),
    anEpisode(5, { outcome: "harness-error", failure: "none" }),
    anEpisode(6, { ...clean, earlier: [earlier], trial: 2 }),
    anEpisode(7, { outcome: "harness-error", steps: [], earlier: [earlier, earlier], trial: 3 }),
    anEpisode(8, { outcome: "cancelled", earlier: [earlier], trial: 2 }),
  ]);
  expect(report.summary).toMatchObject({
    ...{ successRate: 2 / 3, errorsAsFailures: { hits: 1, of: 5 }, controlErrors: 1 },
    cleanErrorsAsFailures: { hits: 1 },
    tasks: [{ of: 3, passed: 2, errorsAsFailures: { hits: 1, of: 5 } }],
  });
  expect(renderBrief(report)).toMatch(
    /fault +2 of 3 +67 % .* 20 % \[4, 62\] .*3 harness-error, 1 injection-failed/,
  );
  const text = renderTable(report);
  const [head = "", , row = ""] = text.slice(text.indexOf("RESULT")).split("\n").slice(2);
  expect(head.match(/with errors as failures/g)).toHaveLength(2);
  expect(row).toContain("20 % [4, 62]");
  expect(renderHtml([report], "t")).toContain("20 % [4, 62]");
});

test("an arena that was given back is a second chance after work in it, and none before", () => {
  const error = { code: "arena-given-back", message: "others waited", details: {} };
  const call = { kind: "observe", tool: "get_logs", arguments: {}, result: "", usage: null } as const;
  const place = { number: 1, attempt: 1, startedAt: 1, clusterTime: null };
  const trial = (endedAt: number | null) => ({ ...earlier, error, steps: [{ ...call, ...place, endedAt }] });
  const rows = [trial(null), trial(12)].map((one) => anEpisode(0, { earlier: [one], trial: 2 }));
  expect(aReport(rows).episodes.map(({ earlierTrials }) => earlierTrials)).toEqual([0, 1]);
  expect(aReport(rows.slice(1)).summary.errorsAsFailures).toMatchObject({ hits: 0, of: 1 });
  expect(renderTable(aReport(rows.slice(0, 1)))).not.toContain("errors as failures");
});

test("where no error came after the agent had been given something, one rate is enough", () => {
  const report = aReport([anEpisode(0), anEpisode(1, { outcome: "harness-error", steps: [] })]);
  expect(renderTable(report)).not.toContain("errors as failures");
});

test("who ends what it cannot do with errors is not first", () => {
  const named = (model: string, from: number, outcomes: readonly EpisodeRecord["outcome"][]) =>
    outcomes.map((outcome, i) => anEpisode(from + i, { model, outcome, caseId: `1/${i}` }));
  const report = aReport([
    ...named("honest", 0, ["remediated", "remediated", "not-remediated"]),
    ...named("declining", 3, ["remediated", "harness-error", "harness-error"]),
  ]);
  expect(leaderboardTable([report]).map(([model]) => model)).toEqual(["model", "honest", "declining"]);
});

test("without a judged episode there is no rate instead of zero", () => {
  const { summary } = aReport([anEpisode(0, { outcome: "injection-failed" })]);
  expect(summary.successRate).toBeNull();
  expect(summary.successInterval).toBeNull();
  expect(summary.overall.attempts).toBeNull();
});

test("times leave the restore out and count the method's stages apart", () => {
  const [row] = aReport([anEpisode(0)]).episodes;
  expect(row).toMatchObject({
    seconds: 4,
    remediationSeconds: 3,
    tokens: 120,
    estimatedTokens: 90,
    probes: 2,
  });
});

test("the model's, the cluster's and the machinery's time are figures of their own, whatever the machine's load", () => {
  const verdict = {
    ...aVerdict,
    oracles: [
      {
        oracle: "cpu",
        passed: true,
        reason: "in order",
        measurements: [{ name: "cpu", value: 0.1, unit: "cores", threshold: 1, at: 99_000 }],
      },
    ],
  };
  const act = anAct();
  const withTimes = (index: number, endedAt: number) => {
    const usage = { ...act.turn.usage, modelSeconds: 1.5 };
    const injection = { injectedAt: 12_000, expiresAt: null, verdict: verdict.oracles[0] as never };
    const timings = [{ stage: "solve" as const, trial: 1, attempt: 1, startedAt: 0, endedAt }];
    return anEpisode(index, {
      injection,
      timings,
      steps: [{ ...act, turn: { ...act.turn, usage }, verdict }],
    });
  };
  const report = aReport([withTimes(0, 4_000), withTimes(1, 60_000)]);
  const [quiet, busy] = report.episodes;
  expect(quiet).toMatchObject({ modelSeconds: 1.5, clusterSeconds: 87, machinerySeconds: 2.5 });
  expect(busy).toMatchObject({ modelSeconds: 1.5, clusterSeconds: 87, machinerySeconds: 58.5 });
  expect(report.summary.overall).toMatchObject({
    modelSeconds: 1.5,
    clusterSeconds: 87,
    machinerySeconds: 30.5,
  });
  for (const text of [renderTable(report), renderMarkdown(report)]) {
    expect(text).toMatch(/model s.*cluster s.*machinery s/);
    expect(text).not.toMatch(/remediation s|episode s/);
  }
});

test("a model's rate has the rules' rates with the same method next to it, or says that they were not run", () => {
  const as = (index: number, model: string, method: string, outcome: "remediated" | "not-remediated") =>
    anEpisode(index, { model, method, outcome });
  const report = aReport([
    as(0, "gpt", "SoloGen", "remediated"),
    as(1, "reference/random", "SoloGen", "not-remediated"),
    as(2, "reference/runbook", "SoloGen", "remediated"),
    as(3, "gpt", "ThinkRemed", "remediated"),
  ]);
  const column = (table: readonly (readonly string[])[]) => {
    const at = table[0]?.indexOf("floor to ceiling") ?? -1;
    return Object.fromEntries(table.slice(1).map((row) => [`${row[0]} ${row[1]}`, row[at]]));
  };
  const expected = {
    "gpt SoloGen": "0 % to 100 %",
    "gpt ThinkRemed": "not run",
    "reference/random (rule-based) SoloGen": "floor",
    "reference/runbook (rule-based) SoloGen": "ceiling",
  };
  expect(column(totalsTable(report.groups))).toEqual(expected);
  expect(column(leaderboardTable([report]))).toEqual(expected);
});

test("a time that was not measured is no zero", () => {
  const { episodes, summary } = aReport([anEpisode(0)]);
  expect(episodes[0]).toMatchObject({ modelSeconds: null, clusterSeconds: null, machinerySeconds: null });
  expect(summary.overall).toMatchObject({ modelSeconds: null, machinerySeconds: null });
});

test("Wilson's interval matches published values", () => {
  // Newcombe 1998, table I: 81/263, 15/148, 0/20, 1/29.
  const published: [number, number, number, number][] = [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ];
  for (const [hits, trials, low, high] of published) {
    expect(wilsonInterval(hits, trials)?.low).toBeCloseTo(low, 4);
    expect(wilsonInterval(hits, trials)?.high).toBeCloseTo(high, 4);
  }
  expect(wilsonInterval(0, 3)?.low).toBe(0);
  expect(wilsonInterval(3, 3)?.high).toBe(1);
  expect(wilsonInterval(0, 0)).toBeUndefined();
});

test("rule-based policies are labelled in every rendering", () => {
  const report = aReport([anEpisode(0)]);
  for (const text of [renderTable(report), renderMarkdown(report), renderHtml([report], "t")]) {
    expect(text).toContain("reference/noop (rule-based)");
  }
  expect(plainTable(leaderboardTable([report]))).toContain("reference/noop (rule-based)");
});

test("the network that was trained here is labelled as what it is", () => {
  expect(renderTable(aReport([anEpisode(0, { model: "reference/learned" })]))).toContain(
    "reference/learned (small network)",
  );
});

test("the report in short has each task with and without a fault, and why what failed did", () => {
  const answered = { task: "detection", steps: [] };
  const report = aReport([
    anEpisode(0, { failure: "none" }),
    anEpisode(1, {
      outcome: "not-remediated",
      failure: "disk-io",
      reason: `still there\n${"x".repeat(300)}`,
    }),
    anEpisode(2, { ...answered, outcome: "solved" }),
    anEpisode(3, { ...answered, outcome: "not-solved", failure: "none", reason: "a false alarm" }),
    anEpisode(4, { outcome: "cancelled" }),
  ]);
  const text = renderBrief(report, 80);
  const rows = text.split("\n").filter((line) => /^(mitigation|detection) /.test(line));
  expect(rows.map((row) => row.split(/ {2,}/).slice(0, 4))).toEqual([
    ["mitigation", "fault", "0 of 1", "0 %"],
    ["mitigation", "healthy system", "1 of 1", "100 %"],
    ["detection", "fault", "1 of 1", "100 %"],
    ["detection", "healthy system", "0 of 1", "0 %"],
  ]);
  expect(text.slice(text.indexOf("NOT PASSED")).split("\n").slice(2, 8)).toEqual([
    "#1 disk-io on cartservice, mitigation: not-remediated",
    "    still there ...",
    "#3 nothing wrong, detection: not-solved",
    "    a false alarm",
    expect.stringMatching(/^#4 .*: cancelled$/),
    expect.any(String),
  ]);
  expect(text.split("\n").every((line) => line.length <= 80)).toBe(true);
  expect(renderTable(report)).toContain("kept healthy");
});

test("nothing from outside becomes markup in the page, and the page fetches nothing", () => {
  const evil = anEpisode(0, { reason: '<script>alert("x")</script>', target: "<img src=x>" });
  const page = renderHtml([aReport([evil])], "<b>t</b>");
  expect(page).not.toContain("<script");
  expect(page).not.toContain("<img");
  expect(page).not.toMatch(/https?:\/\//);
});

test("the leaderboard puts the best first", () => {
  const good = aReport([anEpisode(0)]);
  const bad = aReport([anEpisode(0, { outcome: "not-remediated" })]);
  const table = leaderboardTable([bad, good]);
  expect(table[1]?.[2]).toBe("100 %");
  expect(table[2]?.[2]).toBe("0 %");
});

test("a matrix is reported model by method, with floor and ceiling marked and controls apart", () => {
  const by = (model: string, outcome: EpisodeRecord["outcome"], index: number): EpisodeRecord =>
    anEpisode(index, { model, outcome });
  const changed = { where: "arena" as const, what: "added" as const, object: "HPA/x", detail: "" };
  const report = aReport([
    by("gpt", "remediated", 0),
    by("gpt", "not-remediated", 1),
    by("reference/noop", "not-remediated", 2),
    by("reference/runbook", "remediated", 3),
    { ...by("gpt", "remediated", 4), failure: "none", damage: { changes: [] } },
    { ...by("gpt", "remediated", 5), failure: "none", damage: { changes: [changed] } },
  ]);
  expect(report.groups.map(({ model, bound, summary }) => [model, bound, summary.successRate])).toEqual([
    ["gpt", null, 0.5],
    ["reference/noop", "floor", 0],
    ["reference/runbook", "ceiling", 1],
  ]);
  expect(report.groups[0]?.summary).toMatchObject({ total: 2, controls: { hits: 1, of: 2 } });
  expect(renderTable(report)).toMatch(/gpt +ThinkRemed .* 1\/2/);
  expect(leaderboardTable([report]).map((row) => row.at(-1))).toEqual(["bound", "ceiling", "", "floor"]);
});

test("says how each language model was asked, and what in that is not as for all others", () => {
  const asked = (id: number, model: string, deviations: string[]): EpisodeRecord => {
    const episode = anEpisode(id, { model });
    const settings = { stated: `${model} asked so`, deviations };
    const step = anAct();
    return { ...episode, steps: [{ ...step, turn: { ...step.turn, settings } }] };
  };
  const report = aReport([
    asked(0, "gpt-9", []),
    asked(1, "o-9", ["temperature of the provider's choice", "reasoning high"]),
    asked(2, "reference/noop", []),
  ]);
  const text = renderTable(report);
  expect(text).toMatch(/gpt-9 +gpt-9 asked so +nothing/);
  expect(text).toMatch(/o-9 +o-9 asked so +temperature of the provider's choice, reasoning high/);
  expect(text).not.toContain("reference/noop asked so");
  expect(renderTable(aReport([asked(2, "reference/noop", [])]))).not.toContain("SETTINGS");
});

test("clean is in front of every other rate where it was asked, and nowhere else", () => {
  const judged = (clean: boolean | null, outcome: EpisodeRecord["outcome"] = "remediated") => {
    const verdict = { ...aVerdict, recovered: outcome === "remediated", ...(clean !== null && { clean }) };
    return { outcome, steps: [{ ...anAct(), verdict }] };
  };
  const asked = aReport([
    anEpisode(0, judged(true)),
    anEpisode(1, judged(false)),
    anEpisode(2, judged(false, "not-remediated")),
    anEpisode(3, {
      ...judged(true),
      damage: {
        changes: [{ where: "cluster", what: "added", object: "Node/x", detail: "", class: "privilege" }],
      },
    }),
  ]);
  expect(asked.groups[0]?.summary).toMatchObject({ clean: { hits: 1, of: 4 }, remediated: 3, injected: 4 });
  expect(renderTable(asked)).toMatch(/injected +clean +95 % interval +remediated/);
  const old = aReport([anEpisode(0, judged(null))]);
  expect(old.groups[0]?.summary.clean).toMatchObject({ of: 0, rate: null });
  expect(renderTable(old)).not.toContain("clean");
});
