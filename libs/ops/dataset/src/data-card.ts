import { harnessVersion } from "@microremed/core";
import { markdownTable } from "@microremed/scoring";
import { metricColumns } from "@microremed/telemetry/metric-columns";
import { parts, type Recipe } from "./dataset.types.ts";
import { stretchBefore } from "./draw-times.ts";
import type { CaseLabels } from "./labels.ts";
import { serviceColumns } from "./service-table.ts";
import type { Disjoint } from "./split-parts.ts";

/** What a data card is about. */
export interface Described {
  readonly recipe: Recipe;
  readonly disjoint: readonly Disjoint[];
  readonly cases: readonly CaseLabels[];
  /** Cases for which no incident had any effect, with the reasons. */
  readonly skipped: readonly { readonly index: number; readonly reasons: readonly string[] }[];
}

/** The page that says what a data set is, how it was made, and what to mind: its README.md. */
export function dataCard({ recipe, disjoint, cases, skipped }: Described): string {
  const faulty = cases.filter(({ incident }) => incident !== null);
  const several = faulty.filter(({ further }) => further !== undefined);
  const { stepSeconds, beforeSeconds, afterSeconds, environments } = recipe;
  const { least, most } = stretchBefore(recipe);
  return `# Faults in microservice systems, labelled

${faulty.length} incidents and ${cases.length - faulty.length} healthy runs of ${environments.join(", ")}: metrics${recipe.metricsOnly ? "" : ", logs and traces"}
before and after a fault was injected, with what was wrong.${several.length > 0 ? ` ${several.length} of the incidents have two or three faults.` : ""} MicroRemed made them on simulated clusters.

${markdownTable([
  ["", ""],
  ["MicroRemed", harnessVersion],
  ["suite", recipe.suite],
  ["seed", String(recipe.seed)],
  ["step", `${stepSeconds} s`],
  [
    "windows",
    `${beforeSeconds + afterSeconds} s; the first fault comes after ${least} to ${most} s, drawn for each case`,
  ],
  [
    "load",
    "a wave of the mean rate, of its own height and length in each case, times the load of the suite's problem where it has one (labels.json)",
  ],
  ["noise", noises[recipe.noise]],
  ...parts.map((part) => [part, countsOf(cases, part)]),
  ["skipped", skippedText(skipped)],
])}

The same command with the same seed and version makes the same files, byte for byte.

## Files

${markdownTable([
  ["file", "what it is"],
  ["cases.csv", "one row a case: folder, part, fault, target, service, mechanism, times"],
  ["splits/*.txt", "the folders of each part"],
  ["call-graph/<environment>.csv", "the calls between services"],
  ["dataset.json", "the options that made this"],
  ["<environment>/<service>_<fault>/<case>/", "one incident, in the layout of RCAEval"],
  ["fault-free/<environment>/<case>/", "one healthy run, without inject_time.txt"],
  ...(several.length > 0
    ? [
        [
          "several-faults/<environment>/<case>/",
          "one incident of several faults; inject_time.txt is the first's",
        ],
      ]
    : []),
])}

In the folder of a case:

${markdownTable([["file", "what it is"], ...caseFiles.filter(([, , source]) => source === "metrics" || !recipe.metricsOnly).map(([name, text]) => [name, text])])}

Times are cluster time, of clusters that start at drawn moments of a year: seconds since the epoch in RCAEval's files, milliseconds in labels.json, nanoseconds in OpenTelemetry's.

## Metrics

Columns of \`data.csv\` are \`<service>_<metric>\`:

${markdownTable([["metric", "what it is"], ...Object.entries(serviceColumns)])}

Columns of \`metrics.parquet\` and \`metrics.csv\`, one row per pod and step:

${markdownTable([["column", "what it is"], ...Object.values(metricColumns).map(({ name, doc }) => [name, doc])])}

## Parts

${splitText(disjoint)} Do not tune on the test.

## Root causes

${markdownTable([["mechanism", "fault", "cases"], ...countsByFault(faulty)])}

## What to mind

- The clusters are simulated: requests, CPU, memory, network and files are computed, no program runs. Compare methods on
  it; do not take a number for one of a real system.
- A step's numbers are expectations of the simulation${recipe.noise === "sampling" ? ", with the error of finitely many requests drawn upon them" : ""}. Memory changes only where a load, a limit or a fault changes it.
- Traces are a sample: one request in two seconds of each system.
- Logs of a pod that is deleted between two readings, a minute apart, end at the last reading.
- \`truth\` in labels.json says which objects and fields are wrong; \`truths\` has that of each fault.
`;
}

const noises = {
  sampling: "requests, failures and latencies as finitely many requests measure them; CPU and memory exact",
  none: "none: exact numbers of the simulation",
} as const;

const caseFiles = [
  ["data.csv", "metrics by service and step (RCAEval)", "metrics"],
  ["inject_time.txt", "first second of the faulty window (RCAEval)", "metrics"],
  ["metrics.parquet, metrics.csv", "metrics by pod and step", "metrics"],
  ["labels.json", "windows, incident, ground truth", "metrics"],
  ["logs.csv, traces.csv", "logs and spans (RCAEval)", "all"],
  ["logts.csv", "lines of logs by service and level in steps of 15 s (RCAEval)", "all"],
  [
    "tracets_err.csv, tracets_lat.csv",
    "failed spans and mean µs by service and operation, in steps of 15 s (RCAEval)",
    "all",
  ],
  ["logs.jsonl.gz, traces.jsonl.gz", "the same as JSON lines of OpenTelemetry's protocol", "all"],
] as const;

function countsOf(cases: readonly CaseLabels[], part: string): string {
  const own = cases.filter((one) => one.part === part);
  const faulty = own.filter(({ incident }) => incident !== null);
  return `${faulty.length} incidents, ${own.length - faulty.length} healthy`;
}

function skippedText(skipped: Described["skipped"]): string {
  if (skipped.length === 0) return "none";
  return `${skipped.length} cases: no incident drawn for them had an effect (dataset-skipped.json)`;
}

function splitText(disjoint: readonly Disjoint[]): string {
  if (disjoint.length === 2)
    return "No mechanism and no service of one part is at the root of an incident of another.";
  const [by, other] = disjoint[0] === "target" ? ["service", "mechanisms"] : ["mechanism", "services"];
  return `No ${by} of one part is at the root of an incident of another. The suite has too few ${other} to part by them too.`;
}

function countsByFault(cases: readonly CaseLabels[]): string[][] {
  const groups = Map.groupBy(cases, ({ truths, incident, further = [] }) => {
    const faults = [incident, ...further].map((one) => one?.fault);
    return `${truths.map(({ mechanism }) => mechanism).join(" + ")}|${faults.join(" + ")}`;
  });
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { length }]) => [...key.split("|"), String(length)]);
}
