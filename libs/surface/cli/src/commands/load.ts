import { loadJob, loadRates, namedLoad } from "@microremed/catalogue/environment";
import { LoadPattern, wrongValues } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { Command } from "commander";
import { dump } from "js-yaml";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import type { Context } from "../context.ts";
import { wholeNumber } from "../parse-number.ts";
import { readTextFile } from "../read-request.ts";

interface Options extends CatalogueOptions {
  readonly namespace?: string;
  readonly to?: string;
  readonly seconds: number;
  readonly every: number;
  readonly pattern?: string;
  readonly rates?: string;
  readonly load?: string;
}

const mostRates = 2000;

/** `microremed load`: a Job of k6 that sends an environment's requests on a real cluster. */
export function loadCommand(context: Context): Command {
  return new Command("load")
    .argument("<environment>", "see `microremed environments`")
    .option("--namespace <name>", "namespace of the Job; default: the environment's own")
    .option("--to <namespace>", "namespace of the system, if it is not the Job's")
    .option("--seconds <n>", "how long it sends", wholeNumber(1, 86_400), 600)
    .option("--every <n>", "seconds for which a rate is held", wholeNumber(1, 3600), 10)
    .option(
      "--pattern <json>",
      'course of the load, as in problems: \'{"shape": "step", "factor": 3, "at": 60}\'',
    )
    .option(
      "--rates <file>",
      "replay: requests a second (users of a closed loop), one number a line, instead of --seconds and --pattern",
    )
    .option("--load <name>", "one of the environment's `loads` instead of its own")
    .addOption(catalogueOption(context))
    .addHelpText(
      "after",
      "\nExample:\n  microremed load hotel-reservation --seconds 900 | kubectl apply -f -",
    )
    .action(async (name: string, options: Options) => {
      const { environments } = await catalogueOf(context, options, { withoutSuites: true });
      const own = environments.get(name);
      const pattern = patternOf(options.pattern);
      const named = options.load ?? pattern?.load;
      if (pattern?.load !== undefined && pattern.load !== named)
        throw terminal(
          "invalid-request",
          `--load ${named} and the load ${pattern.load} of --pattern: expected one of the two`,
        );
      const environment = { ...own, load: namedLoad(own.load, named) };
      const { every: secondsEach, seconds } = options;
      const rates =
        options.rates === undefined
          ? loadRates(environment.load, pattern, { seconds, secondsEach })
          : ratesIn(await readTextFile(options.rates, "the rates"), options.rates);
      if (rates.length > mostRates)
        throw terminal(
          "invalid-request",
          `${rates.length} rates are more than a script may have, ${mostRates}: hold each longer, with --every`,
        );
      const namespace = options.namespace ?? environment.namespace;
      const objects = loadJob(environment, { namespace, to: options.to, rates, secondsEach });
      context.terminal.print(objects.map((object) => dump(object, { noRefs: true })).join("---\n"));
    });
}

function patternOf(text: string | undefined): LoadPattern | undefined {
  if (text === undefined) return undefined;
  const wrong = (why: string) =>
    terminal("invalid-request", `--pattern: expected a load such as {"shape": "step", "factor": 3}: ${why}`);
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw wrong("it is no JSON");
  }
  const { data, error } = LoadPattern.safeParse(given);
  const [first] = error ? wrongValues(error, given, LoadPattern) : [];
  if (first) throw wrong(`${first.field || "it"}: expected ${first.expected}`);
  return data;
}

function ratesIn(text: string, path: string): number[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const wrong = lines.findIndex((line) => !(Number(line) >= 0 && Number(line) <= 100_000));
  if (wrong >= 0 || lines.length === 0)
    throw terminal(
      "invalid-request",
      `${path}: expected requests a second, one number from 0 to 100000 a line, found ${JSON.stringify(lines[wrong]?.slice(0, 40) ?? "nothing")}`,
    );
  return lines.map(Number);
}
