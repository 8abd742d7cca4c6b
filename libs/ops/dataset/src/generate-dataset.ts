import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { harnessVersion, terminal } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";
import { telemetryFiles } from "@microremed/telemetry/files";
import { z } from "zod";
import { dataCard } from "./data-card.ts";
import type { PlannedCase, Recipe } from "./dataset.types.ts";
import { callGraphCsv, casesCsv, splitFiles } from "./dataset-files.ts";
import { incidentPool } from "./incident-pool.ts";
import { CaseLabels } from "./labels.ts";
import { planDataset } from "./plan-dataset.ts";
import { rcaevalFiles } from "./rcaeval-files.ts";
import { type OpenCluster, type RunCase, runCase } from "./run-case.ts";

/** Where and from what a data set is made. */
export interface GenerateOptions {
  readonly directory: string;
  readonly catalogue: Catalogue;
  readonly signal: AbortSignal;
  /** Cases that are made at once. They share nothing, so their bytes do not depend on it. */
  readonly workers: number;
  /** Makes a case and puts it into the directory: `makeCase`, in this process or in another. */
  readonly make: (planned: PlannedCase) => Promise<CaseResult>;
  /** After each case that is there; `reasons` when it was skipped. */
  readonly progress: (done: number, total: number, reasons: readonly string[] | undefined) => void;
}

/** What there is in the end. */
export interface Generated {
  readonly cases: readonly CaseLabels[];
  readonly skipped: readonly Skipped[];
}

/** Labels of a case that is in its folder, or why there is none. */
export type CaseResult = CaseLabels | Skipped;

const Skipped = z.strictObject({ index: z.int(), reasons: z.array(z.string()) });
type Skipped = z.infer<typeof Skipped>;

/** Written first: what a folder is the data set of. */
const recipeFile = "dataset.json";
/** Finished cases, so that an interrupted command goes on where it stopped. */
const doneFolder = ".cases";

/**
 * Makes a data set, or goes on with one that was interrupted: a case is there as a whole or not at all. Throws
 * `invalid-request` for a folder that holds something else, and for a suite from which no data set can be made.
 */
export async function generateDataset(recipe: Recipe, options: GenerateOptions): Promise<Generated> {
  const { directory, catalogue } = options;
  checkRecipe(recipe);
  const pool = incidentPool(recipe.suite, recipe.environments, catalogue);
  const plan = planDataset(recipe, pool);
  await claim(directory, recipe);
  const results = await makeAll(plan.cases, options);
  const cases = results.flatMap((result) => ("reasons" in result ? [] : [result]));
  const skipped = results.flatMap((result) => ("reasons" in result ? [result] : []));
  const files = new Map<string, string>([
    ["cases.csv", casesCsv(cases)],
    ...splitFiles(cases),
    ...recipe.environments.map((name): [string, string] => [
      `call-graph/${name}.csv`,
      callGraphCsv(catalogue.environments.get(name)),
    ]),
    ...(skipped.length > 0
      ? [["dataset-skipped.json", `${JSON.stringify(skipped, null, 2)}\n`] as [string, string]]
      : []),
    ["README.md", dataCard({ recipe, disjoint: plan.disjoint, cases, skipped })],
  ]);
  await writeAll(directory, files);
  return { cases, skipped };
}

function checkRecipe({ beforeSeconds, afterSeconds, stepSeconds }: Recipe): void {
  if (beforeSeconds % stepSeconds === 0 && afterSeconds % stepSeconds === 0) return;
  throw terminal(
    "invalid-request",
    `windows of ${beforeSeconds} s and ${afterSeconds} s are no whole steps of ${stepSeconds} s`,
  );
}

/** The results in the order of the cases, some of them made at once. The first error ends all. */
async function makeAll(
  planned: readonly PlannedCase[],
  { directory, make, workers, signal, progress }: GenerateOptions,
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  let [next, done, isFailed] = [0, 0, false];
  const work = async (): Promise<void> => {
    for (let place = next++; place < planned.length && !isFailed; place = next++) {
      const one = planned[place];
      if (!one) return;
      signal.throwIfAborted();
      const result = (await finished(directory, one)) ?? (await make(one));
      results[place] = result;
      progress(++done, planned.length, "reasons" in result ? result.reasons : undefined);
    }
  };
  const failing = (thrown: unknown): never => {
    isFailed = true;
    throw thrown;
  };
  const ended = await Promise.allSettled(
    Array.from({ length: Math.min(workers, planned.length) }, () => work().catch(failing)),
  );
  for (const one of ended) if (one.status === "rejected") throw one.reason;
  return results;
}

/** What a case is made with. */
export interface MakeOptions {
  readonly directory: string;
  readonly catalogue: Catalogue;
  readonly signal: AbortSignal;
  /** Opens the cluster of a case. */
  readonly openCluster: OpenCluster;
}

/** Runs a case on a cluster of its own and puts it into its folder, as a whole or not at all. */
export async function makeCase(
  planned: PlannedCase,
  recipe: Recipe,
  options: MakeOptions,
): Promise<CaseResult> {
  const { directory } = options;
  const run = await runCase(planned, recipe, options);
  if ("skipped" in run) {
    const result = { index: planned.index, reasons: [...run.skipped] };
    await note(directory, planned, result);
    return result;
  }
  await writeCase(directory, run, recipe.metricsOnly);
  await note(directory, planned, run.labels);
  return run.labels;
}

/** The folder appears under its name when all of it is written. */
async function writeCase(
  directory: string,
  { window, labels }: RunCase,
  metricsOnly: boolean,
): Promise<void> {
  const part = join(directory, doneFolder, `${labels.index}.part`);
  await rm(part, { recursive: true, force: true });
  const files = new Map<string, string | Uint8Array>(
    rcaevalFiles(window, labels.incident?.injectedAt ?? null, metricsOnly),
  );
  for (const [name, content] of telemetryFiles(window, labels)) {
    if (!name.endsWith(".jsonl")) files.set(name, content);
    else if (!metricsOnly) files.set(`${name}.gz`, new Uint8Array(gzipSync(content)));
  }
  await writeAll(part, files);
  const folder = join(directory, labels.folder);
  await rm(folder, { recursive: true, force: true });
  await mkdir(dirname(folder), { recursive: true });
  await rename(part, folder);
}

const noteOf = (directory: string, { index }: PlannedCase): string =>
  join(directory, doneFolder, `${String(index).padStart(4, "0")}.json`);

async function note(directory: string, planned: PlannedCase, result: CaseLabels | Skipped): Promise<void> {
  const path = noteOf(directory, planned);
  await writeFile(`${path}.part`, JSON.stringify(result));
  await rename(`${path}.part`, path);
}

/** What an earlier command made of a case; undefined: nothing that is whole. */
async function finished(directory: string, planned: PlannedCase): Promise<CaseLabels | Skipped | undefined> {
  const text = await readFile(noteOf(directory, planned), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const result = z.union([Skipped, CaseLabels]).parse(JSON.parse(text));
  if ("reasons" in result) return result;
  const labels = await stat(join(directory, result.folder, "labels.json")).catch(() => undefined);
  return labels && result;
}

/** Makes a folder this data set's, or finds that it is. */
async function claim(directory: string, recipe: Recipe): Promise<void> {
  await mkdir(directory, { recursive: true });
  const text = `${JSON.stringify({ version: 1, harness: harnessVersion, ...recipe }, null, 2)}\n`;
  const known = await readFile(join(directory, recipeFile), "utf8").catch(() => undefined);
  if (known === undefined && (await readdir(directory)).length > 0)
    throw terminal("invalid-request", `${directory} is not empty and holds no data set; name another folder`);
  if (known !== undefined && known !== text)
    throw terminal(
      "invalid-request",
      `${directory} holds a data set that was made with other options or another version (${recipeFile}); name another folder`,
    );
  await mkdir(join(directory, doneFolder), { recursive: true });
  await writeFile(join(directory, recipeFile), text);
}

async function writeAll(directory: string, files: ReadonlyMap<string, string | Uint8Array>): Promise<void> {
  for (const [name, content] of files) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}
