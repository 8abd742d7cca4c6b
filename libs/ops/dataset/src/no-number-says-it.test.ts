import { mkdir, mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRng } from "@microremed/core";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import type { PlannedCase, Recipe } from "./dataset.types.ts";
import { drawTimes, stretchBefore } from "./draw-times.ts";
import { makeCase } from "./generate-dataset.ts";
import { incidentPool } from "./incident-pool.ts";
import { openCluster } from "./testing/open-cluster.ts";
import { rankDifference } from "./testing/rank-difference.ts";

const catalogue = await builtInCatalogue();
const recipe: Recipe = {
  ...{ suite: "random@1", environments: ["simple-micro"], incidents: 12, several: 0, faultFree: 12, seed: 3 },
  ...{ stepSeconds: 15, beforeSeconds: 60, afterSeconds: 60, noise: "none", metricsOnly: false },
};
/** Least healthy stretch of every case, s: what is read of a case is from it. */
const healthySeconds = stretchBefore(recipe).least;
/** One of some thirty numbers is that far out by chance in one of 15 sets; a time that says it is at 4 of 12 and 12. */
const mostApart = 3.3;

type Numbers = Record<string, number>;

const table = (csv: string): string[][] =>
  csv
    .trim()
    .split("\n")
    .map((line) => line.split(","));

/** What a case's files say by times, counts and the numbers of their first rows, without its effects. */
async function numbersOf(folder: string): Promise<Numbers> {
  const read = async (name: string) => table(await readFile(join(folder, name), "utf8"));
  const [header = [], ...rows] = await read("data.csv");
  const [, ...logs] = await read("logs.csv");
  const [, ...traces] = await read("traces.csv");
  const [, ...pods] = await read("metrics.csv");
  const times = rows.map(([time]) => Number(time));
  const first = times[0] ?? Number.NaN;
  const early = (some: readonly string[][]) =>
    some.filter(([time]) => Number(time) < first - recipe.stepSeconds + healthySeconds);
  const firstRow = header.flatMap((name, i): [string, number][] =>
    i === 0 ? [] : [[`first ${name}`, Number(rows[0]?.[i])]],
  );
  return {
    "first time": first,
    "second of the minute": first % 60,
    "second of the step": first % recipe.stepSeconds,
    "time of the first line": Number(logs[0]?.[0]),
    "time of the first span": Number(traces[0]?.[0]),
    "first line after the first row": Number(logs[0]?.[0]) - first,
    "first span after the first row": Number(traces[0]?.[0]) - first,
    "first id of a trace": Number.parseInt(String(traces[0]?.[1]).slice(0, 12), 16),
    rows: times.length,
    columns: header.length,
    seconds: (times.at(-1) ?? 0) - first,
    "early lines": early(logs).length,
    "early spans": early(traces).length,
    pods: new Set(pods.filter(([time]) => Number(time) === Number(pods[0]?.[0])).map(([, pod]) => pod)).size,
    ...Object.fromEntries(firstRow),
  };
}

test("no time, distance, count or first number of a case says whether it is faulty", {
  timeout: 300_000,
}, async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "microremed-dataset-"));
  const { signal } = new AbortController();
  await mkdir(join(directory.path, ".cases"), { recursive: true });
  const environment = "simple-micro";
  const pool = incidentPool(recipe.suite, recipe.environments, catalogue);
  const planned = Array.from({ length: 24 }, (_, index): PlannedCase => {
    const alone = createRng(3, String(index)).pick(pool);
    return { index, part: "train", environment, incidents: index % 2 ? [[{ ...alone, at: 0 }]] : [] };
  });
  const [healthy, faulty]: [Numbers[], Numbers[]] = [[], []];
  for (const one of planned) {
    const options = { directory: directory.path, catalogue, signal, openCluster };
    const labels = await makeCase(one, recipe, options);
    if ("reasons" in labels) continue;
    const numbers = await numbersOf(join(directory.path, labels.folder));
    (labels.incident ? faulty : healthy).push(numbers);
  }
  expect([healthy.length, faulty.length > 9]).toEqual([12, true]);
  const names = Object.keys(healthy[0] ?? {});
  expect(names.length).toBeGreaterThan(20);
  const of = (name: string, some: readonly Numbers[]) => some.flatMap((one) => one[name] ?? []);
  const apart = names.map((name) => [name, rankDifference(of(name, healthy), of(name, faulty))] as const);
  expect(apart.filter(([, difference]) => difference > mostApart)).toEqual([]);
});

test("the test finds a time that says it", () => {
  const early = Array.from({ length: 12 }, (_, i) => 80 + (i % 3));
  const late = early.map((time) => time + 36);
  expect(rankDifference(early, late)).toBeGreaterThan(mostApart);
});

test("times are drawn evenly, and within half of the shorter stretch", () => {
  const drawn = Array.from({ length: 2_000 }, (_, i) =>
    drawTimes({ beforeSeconds: 300, afterSeconds: 120 }, createRng(i)),
  );
  const before = drawn.map(({ beforeMs }) => beforeMs);
  expect(Math.min(...before)).toBeGreaterThanOrEqual(240_000);
  expect(Math.max(...before)).toBeLessThanOrEqual(360_000);
  expect(before.filter((ms) => ms < 300_000).length / before.length).toBeCloseTo(0.5, 1);
  expect(new Set(before.map((ms) => ms % 1000)).size).toBeGreaterThan(500);
  expect(new Set(drawn.map(({ startAt }) => startAt)).size).toBe(drawn.length);
});
