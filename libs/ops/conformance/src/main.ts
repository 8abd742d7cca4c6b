import { Command, InvalidArgumentError, Option } from "commander";
import { areaTable, caseTable, summaryOf } from "./report.ts";
import { runConformance } from "./run-conformance.ts";

function atLeastOne(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError("a whole number from 1 on is expected");
  return value;
}

function pattern(text: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

interface Options {
  readonly kubeconfig: string;
  readonly filter: RegExp;
  readonly output: "table" | "json" | "areas";
  readonly jobs: number;
  readonly tries: number;
  readonly deadline: number;
}

const command = new Command("conformance")
  .description("ask any cluster, with its real clients, for what Kubernetes documents")
  .requiredOption("--kubeconfig <path>", "a cluster, with an admin's rights", process.env["KUBECONFIG"])
  .option("--filter <pattern>", "only cases whose `area: name` matches this regular expression", pattern, /./)
  .addOption(
    new Option("--output <format>", "what is printed").choices(["table", "json", "areas"]).default("table"),
  )
  .option("--jobs <n>", "cases at a time", atLeastOne, 4)
  .option("--tries <n>", "how often a case may run before it has failed", atLeastOne, 1)
  .option("--deadline <seconds>", "of one case", atLeastOne, 120)
  .action(async ({ kubeconfig, filter, output, jobs, tries, deadline }: Options) => {
    const say = (text: string): void => void process.stdout.write(`${text}\n`);
    const results = await runConformance({
      kubeconfig,
      filter,
      jobs,
      tries,
      deadlineMs: deadline * 1000,
      onResult: (result) => {
        if (output === "table") say(caseTable([result]));
      },
    });
    if (output === "json") say(JSON.stringify(results, undefined, 2));
    else say(`${areaTable(results)}\n${summaryOf(results)}`);
    process.exitCode = results.some(({ outcome }) => outcome === "failed") ? 1 : 0;
  });

await command.parseAsync();
