import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "./table.ts";

interface Results {
  readonly version: string;
  readonly trials: readonly {
    readonly problem: string;
    readonly task: string;
    readonly model: string;
    readonly real: string;
    readonly embedded: string;
    readonly agrees: boolean;
  }[];
}

/** How problems ended on real and on embedded clusters, from the results in the folder. */
export function problemOutcomes(folder: string): string {
  const files = readdirSync(folder).filter((name) => /^problems-.*\.json$/.test(name));
  return files
    .sort()
    .map((name) => ofVersion(JSON.parse(readFileSync(join(folder, name), "utf8")) as Results))
    .join("\n\n");
}

function ofVersion({ version, trials }: Results): string {
  const agreed = trials.filter(({ agrees }) => agrees).length;
  const rows = trials.map(({ problem, task, model, real, embedded }) => [
    problem.replace(/^[^/]*\//, ""),
    task,
    model,
    real,
    embedded,
  ]);
  return [
    `With ${version}, ${agreed} of ${trials.length} had the same outcome:`,
    "",
    table(["problem", "task", "model", "real", "embedded"], rows),
  ].join("\n");
}
