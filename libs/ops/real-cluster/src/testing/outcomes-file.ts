import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { ComparedTrial } from "./outcomes.ts";
import { keyOf } from "./trials.ts";

/** What the trials had in common. */
export interface OutcomesHeading {
  readonly version: string;
  readonly soakSeconds: number;
  readonly recoverySeconds: number;
}

/** Trials on a real cluster and on an embedded one, kept as each ends. */
export interface OutcomesFile {
  add(trial: ComparedTrial): Promise<void>;
}

/** Opens the file for trials with these names; those of other names that it has stay only if they are in `known`. */
export async function openOutcomes(
  path: string,
  heading: OutcomesHeading,
  known: ReadonlySet<string>,
): Promise<OutcomesFile> {
  const trials = new Map<string, ComparedTrial>();
  for (const trial of await readTrials(path)) if (known.has(keyOf(trial))) trials.set(keyOf(trial), trial);
  await mkdir(dirname(path), { recursive: true });
  let written: Promise<void> = Promise.resolve();
  return {
    add(trial) {
      trials.set(keyOf(trial), trial);
      const sorted = [...trials.values()].toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)));
      const lines = sorted.map((one) => `    ${JSON.stringify(one)}`).join(",\n");
      const head = JSON.stringify(heading, undefined, 2).replace(/\n\}$/, "");
      written = written.then(() => writeFile(path, `${head},\n  "trials": [\n${lines}\n  ]\n}\n`));
      return written;
    },
  };
}

async function readTrials(path: string): Promise<readonly ComparedTrial[]> {
  try {
    const { trials } = JSON.parse(await readFile(path, "utf8")) as { trials: readonly ComparedTrial[] };
    return trials;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
