import { Command, InvalidArgumentError, Option } from "commander";
import { agreementTable, compareResults } from "./compare.ts";
import { readResults } from "./read-results.ts";
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
  readonly kubeconfig?: string;
  readonly compare?: readonly string[];
  readonly filter: RegExp;
  readonly output: "table" | "json" | "areas";
  readonly jobs: number;
  readonly tries: number;
  readonly deadline: number;
}

async function compareFiles(files: readonly string[]): Promise<string> {
  const [real, embedded, ...more] = files;
  if (real === undefined || embedded === undefined || more.length > 0)
    return command.error(`error: --compare takes two files, not ${files.length}`);
  try {
    return agreementTable(compareResults(await readResults(real), await readResults(embedded)));
  } catch (error) {
    return command.error(`error: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const command = new Command("conformance")
  .description("ask any cluster, with its real clients, for what Kubernetes documents")
  .option("--kubeconfig <path>", "a cluster, with an admin's rights", process.env["KUBECONFIG"])
  .addOption(
    new Option(
      "--compare <files...>",
      "run nothing; compare two files that `--output json` wrote, first the real cluster's, then the embedded one's",
    ).conflicts("filter"),
  )
  .option("--filter <pattern>", "only cases whose `area: name` matches this regular expression", pattern, /./)
  .addOption(
    new Option("--output <format>", "what is printed").choices(["table", "json", "areas"]).default("table"),
  )
  .option("--jobs <n>", "cases at a time", atLeastOne, 4)
  .option("--tries <n>", "how often a case may run before it has failed", atLeastOne, 1)
  .option("--deadline <seconds>", "of one case", atLeastOne, 120)
  .action(async ({ kubeconfig, compare, filter, output, jobs, tries, deadline }: Options) => {
    const say = (text: string): void => void process.stdout.write(`${text}\n`);
    if (compare !== undefined) {
      say(await compareFiles(compare));
      return;
    }
    if (kubeconfig === undefined)
      return command.error(
        "error: which cluster? Give --kubeconfig <path> or set KUBECONFIG, or use --compare",
      );
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
