import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";

/** What the trials of a file had in common; the version is of Kubernetes. */
export interface ResultsHeading {
  readonly version: string;
  readonly [name: string]: string | number;
}

/** Trials on a real cluster and on an embedded one, kept as each ends. */
export interface ResultsFile<Trial> {
  add(trial: Trial): Promise<void>;
}

/** A file of trials. */
export interface ResultsOptions<Trial> {
  readonly path: string;
  readonly heading: ResultsHeading;
  /** The trial in words, unique. */
  readonly keyOf: (trial: Trial) => string;
  /** The names of all trials that there are. */
  readonly known: ReadonlySet<string>;
}

/**
 * Opens the file. Trials of earlier runs stay in it if their names are in `known`, and they were run under the same heading.
 */
export async function openResults<Trial>(options: ResultsOptions<Trial>): Promise<ResultsFile<Trial>> {
  const { path, heading, keyOf, known } = options;
  const trials = new Map<string, Trial>();
  for (const trial of await readTrials<Trial>(path, heading))
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

async function readTrials<Trial>(path: string, heading: ResultsHeading): Promise<readonly Trial[]> {
  try {
    const { trials, ...had } = JSON.parse(await readFile(path, "utf8")) as ResultsHeading & {
      readonly trials: readonly Trial[];
    };
    return isDeepStrictEqual(had, heading) ? trials : [];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
