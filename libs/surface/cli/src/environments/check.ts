import type { Environment } from "@microremed/catalogue";
import { createInProcessCluster } from "@microremed/cluster/in-process";
import { terminal as failure } from "@microremed/core";
import { isEnvironmentFolder, readEnvironment } from "@microremed/environments";
import { checkEnvironment, type EnvironmentCheck } from "@microremed/import";
import type { Catalogue } from "@microremed/registry";
import { paragraph, plainTable } from "@microremed/scoring";
import { createLocalCluster } from "@microremed/simcluster";
import { Command } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import type { Context } from "../context.ts";
import { exitCodes } from "../exit-codes.ts";
import { outputOption } from "../output.ts";
import { wholeNumber } from "../parse-number.ts";
import { groupedReasons } from "./grouped-reasons.ts";
import { works } from "./works.ts";

interface Options extends CatalogueOptions {
  readonly seconds: number;
  readonly ready: number;
  readonly faults: boolean;
  readonly output: "table" | "json";
}

/** `microremed environments check`: deploys an environment on an embedded cluster, drives it, and says what works. */
export function checkCommand(context: Context): Command {
  return new Command("check")
    .description(
      "deploy an environment on an embedded cluster, send it its requests, journeys, and show what works",
    )
    .argument("<environment>", "its name, or its folder")
    .option("--seconds <s>", "cluster time under load", wholeNumber(30, 36_000), 600)
    .option("--ready <s>", "cluster time until everything must be Ready", wholeNumber(10, 36_000), 900)
    .option("--faults", "say of each fault without a target why it has none", false)
    .addOption(catalogueOption(context))
    .addOption(outputOption())
    .action(async (name: string, options: Options) => {
      const catalogue = await catalogueOf(context, options, { withoutSuites: true });
      const environment = isEnvironmentFolder(name)
        ? readEnvironment(name)
        : catalogue.environments.get(name);
      await refuseWhatClustersRefuse(name, environment);
      const check = await checkHere(context, environment, catalogue, options);
      if (options.output === "json") context.terminal.print(JSON.stringify(check, null, 2));
      else show(context, environment, check, options.faults);
      process.exitCode = (works(check) ? exitCodes.ok : exitCodes.failed).code;
    });
}

/** Says all that a cluster would refuse, not only the first. Throws `invalid-environment`. */
async function refuseWhatClustersRefuse(
  folder: string,
  { manifests, namespace }: Environment,
): Promise<void> {
  const { refusedByCluster } = await import("./refused-by-cluster.ts");
  const refused = refusedByCluster(manifests, namespace);
  if (refused.length === 0) return;
  throw failure(
    "invalid-environment",
    `${folder} cannot be deployed:\n${refused.map((line) => `  - ${line}`).join("\n")}`,
    { problems: refused },
  );
}

async function checkHere(
  { signal, log }: Context,
  environment: Environment,
  catalogue: Catalogue,
  { seconds, ready }: Options,
): Promise<EnvironmentCheck> {
  using api = createLocalCluster({ seed: 1, environments: [environment], log });
  await using cluster = createInProcessCluster(api, { name: "check", token: api.adminToken });
  return await checkEnvironment({
    ...{ environment, cluster, catalogue, signal },
    readySeconds: ready,
    loadSeconds: seconds,
  });
}

function show(
  { terminal }: Context,
  { load, workloads }: Environment,
  check: EnvironmentCheck,
  allFaults: boolean,
): void {
  const { problem, readyAfterSeconds, requests, journeys, calls, faults } = check;
  const rows = check.workloads.map(({ name, kind, ready, wanted, restarts, why }) => [
    ...[name, kind, `${ready}/${wanted}`, String(restarts)],
    ...[
      [
        ...new Set(
          Object.values(workloads[name]?.containers ?? []).map(({ behaviour }) => behaviour.runtime),
        ),
      ].join(", "),
      why,
    ],
  ]);
  const head = ["workload", "kind", "ready", "restarts", "runtimes", "why not"];
  const shownCalls = calls.map(({ from, to, declared, measured, requests: traced }) => [
    ...[from, to, String(declared), measured === null ? "not seen" : String(measured), String(traced)],
  ]);
  terminal.print(
    [
      plainTable([head, ...rows], terminal.width),
      plainTable(
        [["caller", "callee", "declared", "measured", "requests of the caller"], ...shownCalls],
        terminal.width,
      ),
    ].join("\n\n"),
  );
  terminal.say(
    readyAfterSeconds === null
      ? `not healthy: ${problem}`
      : `healthy after ${readyAfterSeconds.toFixed(0)} s of cluster time`,
  );
  for (const { kind, name, isOver, why, log } of check.jobs)
    terminal.say(
      [
        `${kind} ${name} ${kind === "Job" ? "is not complete" : isOver ? "failed in its last run" : "has not ended its last run"}: ${why}`,
        ...log.map((line) => `  ${line}`),
      ].join("\n"),
    );
  terminal.say(
    requests
      ? `${load.entry}: ${(100 * requests.answered).toFixed(1)} % of ${requests.traced} traced requests answered, median ${requests.medianMs.toFixed(0)} ms, 95th percentile ${requests.p95Ms.toFixed(0)} ms`
      : `${load.entry}: no request was answered, so none was traced`,
  );
  for (const { what, requests: failed } of requests?.failures ?? [])
    terminal.say(`  ${failed} failed in ${what}`);
  const unanswered = journeys.filter(({ answered }) => !answered);
  terminal.say(
    `${journeys.length - unanswered.length} of ${journeys.length} paths of the loads answered rightly${unanswered
      .map(({ load, method, path }) => `; not ${load ? `${load}: ` : ""}${method} ${path}`)
      .join("")}`,
  );
  for (const { target, why } of check.baselines) terminal.say(`no fault can be judged on ${target}: ${why}`);
  sayFaults(terminal, faults, Object.keys(workloads), allFaults);
}

/** How many faults have a target, and why the others have none: in groups, or of each. */
function sayFaults(
  { say, width }: Context["terminal"],
  faults: EnvironmentCheck["faults"],
  workloads: readonly string[],
  each: boolean,
): void {
  const others = faults.filter(({ targets }) => targets === 0);
  const count = `${faults.length - others.length} of ${faults.length} faults have a target here`;
  if (others.length === 0) say(count);
  else if (each)
    say(
      `${count}; none have:${others.map(({ name, why }) => `\n  ${name}${why === "" ? "" : `: ${why}`}`).join("")}`,
    );
  else {
    const reasons = groupedReasons(
      others.map(({ why }) => why || "the fault says no reason"),
      workloads,
    );
    say(paragraph(`${count}; ${others.length} have none (--faults says why of each): ${reasons}`, width, 2));
  }
}
