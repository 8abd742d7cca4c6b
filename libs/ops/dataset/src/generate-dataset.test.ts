import { mkdir, mkdtempDisposable, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { builtInCatalogue } from "@microremed/registry";
import { expect, onTestFinished, test } from "vitest";
import type { PlannedCase, Recipe } from "./dataset.types.ts";
import { generateDataset, makeCase } from "./generate-dataset.ts";
import { CaseLabels } from "./labels.ts";
import { openCluster } from "./testing/open-cluster.ts";

const catalogue = await builtInCatalogue();
const recipe: Recipe = {
  ...{ suite: "random@1", environments: ["online-boutique"], incidents: 2, several: 1, faultFree: 1 },
  seed: 5,
  ...{ stepSeconds: 15, beforeSeconds: 120, afterSeconds: 120, noise: "sampling", metricsOnly: false },
};

async function aFolder(): Promise<string> {
  const dir = await mkdtempDisposable(join(tmpdir(), "microremed-dataset-"));
  onTestFinished(() => dir.remove());
  return dir.path;
}

const making = (directory: string, of: Recipe, signal: AbortSignal, workers: number) => ({
  ...{ directory, catalogue, signal, workers },
  make: (planned: PlannedCase) => makeCase(planned, of, { directory, catalogue, signal, openCluster }),
});

const made = async (directory: string, { of = recipe, workers = 1 } = {}) => {
  const { signal } = new AbortController();
  const seen: number[] = [];
  const progress = (done: number): void => void seen.push(done);
  const result = await generateDataset(of, { ...making(directory, of, signal, workers), progress });
  return { ...result, seen };
};

/** Rows of a table of numbers, by column. */
function numbersIn(csv: string): Record<string, string>[] {
  const [header = [], ...rows] = csv
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ""])));
}

async function filesOf(directory: string): Promise<Map<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const contents = paths
    .sort()
    .map(
      async (path): Promise<[string, string]> => [
        path.slice(directory.length + 1),
        (await readFile(path)).toString("base64"),
      ],
    );
  return new Map(await Promise.all(contents));
}

test("a data set has faulty and fault-free windows of every case with what is wrong, in RCAEval's layout; the same seed gives the same bytes, also after an interruption and with several workers", async () => {
  const [whole, interrupted] = [await aFolder(), await aFolder()];
  const { cases, skipped, seen } = await made(whole);
  expect(skipped).toEqual([]);
  expect(seen).toEqual([1, 2, 3, 4]);
  const [first] = cases.filter(({ incident }) => incident !== null);
  const { folder = "", incident, truth } = first ?? {};
  expect(folder).toMatch(/^online-boutique\/[a-z-]+_[a-z-]+\/\d{4}$/);
  const read = (name: string) => readFile(join(whole, folder, name), "utf8");

  const labels = CaseLabels.parse(JSON.parse(await read("labels.json")));
  const [healthyPart, faultyPart, ...after] = labels.windows;
  expect([healthyPart?.label, faultyPart?.label, after]).toEqual(["fault-free", "faulty", []]);
  expect(healthyPart?.from).toBe((faultyPart?.to ?? 0) - 240_000);
  expect(healthyPart?.to).toBe(faultyPart?.from);
  expect(Math.abs((healthyPart?.to ?? 0) - (healthyPart?.from ?? 0) - 120_000)).toBeLessThanOrEqual(60_000);
  expect(truth?.objects.length).toBeGreaterThan(0);
  const rows = numbersIn(await read("data.csv"));
  const inject = Number(await read("inject_time.txt"));
  expect(inject).toBe(Math.floor((incident?.injectedAt ?? 0) / 1000) + 1);
  expect(rows).toHaveLength(16);
  // A row is healthy if its whole step is.
  const healthyRows = Math.floor(((healthyPart?.to ?? 0) - (healthyPart?.from ?? 0)) / 15_000);
  expect(rows.filter((row) => Number(row["time"]) < inject)).toHaveLength(healthyRows);
  expect(Object.keys(rows[0] ?? {})).toContain(`${incident?.service}_cpu`);
  expect(new Set(rows.map((row) => row["frontend_load"])).size).toBeGreaterThan(8);

  const spans = gunzipSync(await readFile(join(whole, folder, "traces.jsonl.gz"))).toString();
  expect(spans.trim().split("\n").length).toBeGreaterThan(100);
  expect(await readFile(join(whole, "cases.csv"), "utf8")).toMatch(new RegExp(`\n0,train,${folder},`));
  expect(await readFile(join(whole, "call-graph/online-boutique.csv"), "utf8")).toMatch(
    /\nfrontend,cartservice,grpc,/,
  );
  const healthy = cases.find((one) => one.incident === null);
  expect(await readdir(join(whole, healthy?.folder ?? ""))).not.toContain("inject_time.txt");

  const several = cases.find(({ further }) => further !== undefined);
  expect(several?.folder).toMatch(/^several-faults\/online-boutique\/0003$/);
  const faults = [several?.incident, ...(several?.further ?? [])];
  expect(new Set(faults.map((one) => one?.fault)).size).toBe(faults.length);
  expect(several?.truths).toHaveLength(faults.length);
  expect(first?.truths).toEqual([truth]);
  expect(cases.find((one) => one.incident === null)?.truths).toEqual([]);
  // Every parameter of a fault is there, set or not.
  for (const one of faults)
    expect(one?.parameters).toEqual(catalogue.faults.get(one?.fault ?? "").parameters.parse({}));
  const ends = numbersIn(await readFile(join(whole, "cases.csv"), "utf8")).map(
    (row) => row["expires_at_unix_ms"],
  );
  expect(ends).not.toContain(" + ");
  expect(several?.windows[1]?.from).toBe(several?.incident?.injectedAt);
  expect(await readFile(join(whole, "cases.csv"), "utf8")).toContain(
    faults.map((one) => one?.service).join(" + "),
  );

  const stop = new AbortController();
  const stopping = generateDataset(recipe, {
    ...making(interrupted, recipe, stop.signal, 2),
    progress: () => stop.abort(new Error("stopped by the test")),
  });
  await expect(stopping).rejects.toThrow("stopped by the test");
  expect((await readdir(interrupted)).includes("README.md")).toBe(false);
  await rm(join(interrupted, folder, "labels.json"));
  await made(interrupted, { workers: 3 });
  expect(await filesOf(interrupted)).toEqual(await filesOf(whole));
});

test("a case is under the load of its problem, with a fault and without", async () => {
  const { signal } = new AbortController();
  const directory = await aFolder();
  const step = { shape: "step", factor: 3, at: 0 } as const;
  const fault = { fault: "replicas-zero", target: "adservice", service: "adservice", mechanism: "scaled" };
  const place = { environment: "online-boutique", workload: step };
  const cases = { part: "train", environment: "online-boutique" } as const;
  const planned: PlannedCase[] = [
    { ...cases, index: 0, incidents: [], workload: step },
    { ...cases, index: 1, incidents: [[{ ...fault, ...place, at: 0 }]] },
  ];
  await mkdir(join(directory, ".cases"), { recursive: true });
  for (const one of planned) {
    const labels = await makeCase(one, recipe, { directory, catalogue, signal, openCluster });
    if (!("folder" in labels)) throw new Error("no case was made");
    expect(labels.workload).toMatchObject({ pattern: step });
    const rows = numbersIn(await readFile(join(directory, labels.folder, "metrics.csv"), "utf8"));
    expect(rows.length).toBeGreaterThan(0);
    const table = numbersIn(await readFile(join(directory, labels.folder, "data.csv"), "utf8"));
    const loads = table.map((row) => Number(row["frontend_load"]));
    expect(Math.max(...loads.slice(4))).toBeGreaterThan(2 * (loads[0] ?? 0));
  }
});

test("a folder of something else, other options and uneven windows are refused", async () => {
  const folder = await aFolder();
  await writeFile(join(folder, "notes.txt"), "mine");
  await expect(made(folder)).rejects.toThrow(/is not empty and holds no data set/);
  await expect(made(await aFolder(), { of: { ...recipe, beforeSeconds: 100 } })).rejects.toThrow(
    /whole steps/,
  );
  const other = await aFolder();
  await writeFile(join(other, "dataset.json"), "{}");
  await expect(made(other)).rejects.toThrow(/other options or another version/);
  await expect(made(await aFolder(), { of: { ...recipe, suite: "unknown@1" } })).rejects.toThrow(/unknown@1/);
});
