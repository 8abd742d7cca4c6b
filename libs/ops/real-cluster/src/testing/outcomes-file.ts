import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
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

/**
 * Opens the file. Trials of earlier runs stay in it if their names are in `known`, and they were run under the same heading.
 */
export async function openOutcomes(
  path: string,
  heading: OutcomesHeading,
  known: ReadonlySet<string>,
): Promise<OutcomesFile> {
  const trials = new Map<string, ComparedTrial>();
  for (const trial of await readTrials(path, heading))
    if (known.has(keyOf(trial))) trials.set(keyOf(trial), trial);
  await mkdir(dirname(path), { recursive: true });
  let written: Promise<void> = Promise.resolve();
  return {
    add(trial) {
      trials.set(keyOf(trial), trial);
      const sorted = [...trials.values()].toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)));
      const lines = sorted.map((one) => `    ${JSON.stringify(one)}`).join(",\n");
      const head = JSON.stringify(heading, undefined, 2).replace(/\n\}$/, "");
      const text = `${head},\n  "trials": [\n${lines}\n  ]\n}\n`;
      // Whole in every moment: a run that is ended in the middle leaves what it had.
      written = written.then(async () => {
        await writeFile(`${path}.new`, text);
        await rename(`${path}.new`, path);
      });
      return written;
    },
  };
}

async function readTrials(path: string, heading: OutcomesHeading): Promise<readonly ComparedTrial[]> {
  try {
    const { trials, ...had } = JSON.parse(await readFile(path, "utf8")) as OutcomesHeading & {
      readonly trials: readonly ComparedTrial[];
    };
    return isDeepStrictEqual(had, heading) ? trials : [];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
