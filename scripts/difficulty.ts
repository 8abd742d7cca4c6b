// npm run difficulty -- [--places N] [fault ...]: how often rules end each fault at each of its strengths: docs/difficulty.md.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Environment, type Fault, type Strength, targetText } from "@microremed/catalogue";
import type { ExperimentRequestInput } from "@microremed/contracts";
import { builtInCatalogue } from "@microremed/registry";
import { type InProcessRange, startInProcessRange } from "@microremed/stack/in-process";
import { runExperiment } from "./bench/run-experiment.ts";
import { withRow } from "./difficulty/with-row.ts";
import { table } from "./table.ts";

const page = "docs/difficulty.md";
const timeoutMs = 1_800_000;
const ownValues: Strength = { name: "own values", parameters: {} };

/** Rules, and what they start from. */
const withReport = {
  model: ["noop", "restart", "random", "runbook"].map((name) => `reference/${name}`),
  method: "SoloGen",
};
const withoutReport = {
  model: ["reference/expert"],
  method: "Player",
  report: "none",
  concealment: "neutral",
} satisfies Partial<ExperimentRequestInput>;
const columns = [...withReport.model, ...withoutReport.model];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { places: { type: "string", default: "1" } },
});
const catalogue = await builtInCatalogue();
const sizeOf = ({ workloads }: Environment): number => Object.keys(workloads).length;
const environments = catalogue.environments.all().toSorted((a, b) => sizeOf(a) - sizeOf(b));

interface Place {
  readonly environment: Environment;
  readonly target: string;
}

/** The first target of the smallest environments in which a strength can show. */
function placesOf(fault: Fault, strength: Strength): Place[] {
  const all = environments.flatMap((environment): Place[] => {
    const targets = fault.targets(environment).map(targetText);
    const target = targets.find((one) => strength.applies?.({ environment, target: one }) ?? true);
    return target === undefined ? [] : [{ environment, target }];
  });
  return all.slice(0, Number(values.places));
}

/** Outcomes of the episodes on one place, by model. */
async function outcomesOn(
  { client }: InProcessRange,
  { name }: Fault,
  { parameters }: Strength,
  { environment, target }: Place,
  prefix: string,
): Promise<Map<string, string>> {
  const outcomes = new Map<string, string>();
  for (const [number, how] of [withReport, withoutReport].entries()) {
    const id = `${prefix}-${number}`;
    const incident = {
      failures: [name],
      target,
      ...(Object.keys(parameters).length > 0 && { parameters: { [name]: parameters as never } }),
    };
    const request = { id, environment: environment.name, maxAttempts: 1, ...incident, ...how };
    await runExperiment(client, request, timeoutMs);
    const { episodes } = await client.experiment(id);
    for (const { model, outcome } of episodes) outcomes.set(model, outcome ?? "unknown");
  }
  return outcomes;
}

const faults = catalogue.faults
  .all()
  .filter(({ name, control }) => !control && (positionals.length === 0 || positionals.includes(name)));
const today = new Date().toISOString().slice(0, 10);
const known = catalogue.faults
  .all()
  .flatMap(({ name, strengths = [] }) => [ownValues, ...strengths].map((one) => [`\`${name}\``, one.name]));
for (const fault of faults)
  for (const [number, strength] of [ownValues, ...(fault.strengths ?? [])].entries()) {
    const places = placesOf(fault, strength);
    const found: Map<string, string>[] = [];
    for (const [at, place] of places.entries()) {
      await using range = await startInProcessRange({ catalogue, environments: [place.environment.name] });
      found.push(await outcomesOn(range, fault, strength, place, `${fault.name}-${number}-${at}`));
    }
    const cells = columns.map((model) => shareOf(found.map((outcomes) => outcomes.get(model) ?? "unknown")));
    const where = places.map(({ environment, target }) => `${environment.name}: ${target}`).join(", ");
    const row = [`\`${fault.name}\``, strength.name, where, ...cells, today];
    process.stderr.write(`${row.join(" | ")}\n`);
    writeFileSync(page, pageOf(withRow(readFileSync(page, "utf8"), row, known)));
  }

/** `1/2`: remediated, of the episodes that were scored; what else there was in words. */
function shareOf(outcomes: readonly string[]): string {
  const scored = outcomes.filter((one) => ["remediated", "not-remediated"].includes(one));
  const others = outcomes.filter((one) => !scored.includes(one));
  const good = scored.filter((one) => one === "remediated").length;
  return [...(scored.length > 0 ? [`${good}/${scored.length}`] : []), ...others].join(", ");
}

function pageOf(all: readonly (readonly string[])[]): string {
  return `# Difficulty of the faults

How often five rules that call no language model end each fault, at its own values and at its other
[strengths](own-fault.md#fill-in-the-fields). \`noop\`, \`restart\`, \`random\` and \`runbook\` get a report with the failed service
and the fault's category. \`expert\` gets no report, cannot see chaos objects, and must find the fault with an agent's tools. Each
has one attempt. A fault that \`restart\` ends is easy; one that \`runbook\` ends and \`expert\` does not is hard to find.

Measured on embedded clusters, one episode on each target, by \`npm run difficulty\`, which measures all faults or those that it is given,
and keeps the rows of others. A cell is the number of episodes in which the system recovered, of those that were scored; \`-\` was not measured.

${table(["fault", "strength", "target", ...columns.map((name) => name.replace("reference/", "")), "measured"], all)}
`;
}
