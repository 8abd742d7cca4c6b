import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { harnessVersion } from "@microremed/core";
import { type Disjoint, parts } from "@microremed/dataset";
import { markdownTable } from "@microremed/scoring";
import { type KeptTrace, reasons, type Tally } from "./build-traces.ts";
import type { TraceRecipe } from "./trace.types.ts";
import { formatFolders } from "./write-traces.ts";

/** What a card is about. */
export interface DescribedTraces {
  readonly recipe: TraceRecipe;
  readonly count: number;
  readonly disjoint: readonly Disjoint[];
  readonly kept: readonly KeptTrace[];
  readonly tally: Tally;
}

/** Writes the page that says what the traces are, how they were made, and what to mind: the folder's README.md. */
export async function traceCard(directory: string, described: DescribedTraces): Promise<void> {
  const path = join(directory, "README.md");
  await writeFile(`${path}.part`, cardOf(described));
  await rename(`${path}.part`, path);
}

/** The first lines are read by `datasets.load_dataset`. */
function cardOf({ recipe, disjoint, kept, tally }: DescribedTraces): string {
  const { suite, environments, seed, perCase, soakSeconds, acting, tasks, controls } = recipe;
  const { openAi, shareGpt, parquet } = formatFolders;
  const share = (isOne: (one: KeptTrace) => boolean): string =>
    `${Math.round((100 * kept.filter(isOne).length) / Math.max(1, kept.length))} %`;
  return `---
configs:
  - config_name: default
    data_files:
${parts.map((part) => `      - { split: ${part}, path: ${parquet}/${part}.parquet }`).join("\n")}
---

# Traces of experts that repair microservice systems

${kept.length} investigations on simulated clusters: a report, calls of tools with their answers, a repair or an answer. Scripted experts made
them; MicroRemed carried out every one and kept those after which the system had recovered and nothing was left worse than before, or
whose answer was right.

${markdownTable([
  ["", ""],
  ["MicroRemed", harnessVersion],
  ["suite", suite],
  ["systems", environments.join(", ")],
  ["seed", String(seed)],
  ["investigations of a case", String(perCase)],
  ["asked", tasks.join(", ")],
  ["nothing is wrong in", `${controls} % of the cases`],
  ["changed by", acting === "both" ? "commands, or one playbook" : acting],
  ["checked again", `${soakSeconds} s of cluster time after a recovery`],
  ...parts.map((part) => [part, String(kept.filter(({ labels }) => labels.part === part).length)]),
  ["left out", `${reasons(tally)}, of ${tally.cases} cases`],
  ["with a wrong hypothesis", share(({ course }) => course.dropped > 0)],
  ["with a wrong call that is mended", share(({ course }) => course.slips > 0)],
  ["with a change that is no repair", share(({ course }) => course.guesses > 0)],
])}

The same command with the same seed and version makes the same files, byte for byte; with a larger number it makes these and more.

## Files

${markdownTable([
  ["file", "one line or row is"],
  [`${openAi}/<part>.jsonl`, "messages and tools of OpenAI's chat completions API, with `metadata`"],
  [`${shareGpt}/<part>.jsonl`, "a ShareGPT conversation with function calls and observations"],
  [
    `${parquet}/<part>.parquet`,
    "the same messages as a list of structs, `tools` as JSON, and the metadata as columns",
  ],
])}

## Parts

No ${disjoint.join(" and no ")} of one part is in another, and experts suspect only faults of their own part. ${
    disjoint.includes("environment")
      ? ""
      : "Parts that differ by system need three systems with different faults. "
  }Texts that share nine tenths of their runs of three words with one before were left out, over all parts (MinHash, 64 hashes).

${markdownTable([["part", "system", "mechanism", "fault", "traces"], ...countsOf(kept)])}

## What to mind

- Experts are scripts with drawn words, no people. They know how each kind of fault shows, and come to the right one last.
- Everything that an expert says and does follows from what it was given: the report and the answers.
- The clusters are simulated. A repair works there for the reason for which it works on a real cluster, or does not.
- Do not report scores on the systems and faults of the training part.
`;
}

function countsOf(kept: readonly KeptTrace[]): string[][] {
  const groups = Map.groupBy(kept, ({ labels: { part, environment, mechanism, fault } }) =>
    JSON.stringify([parts.indexOf(part), part, environment, mechanism, fault]),
  );
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { length }]) => [...(JSON.parse(key) as string[]).slice(1), String(length)]);
}
