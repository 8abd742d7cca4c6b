import { loadText, type Problem } from "@microremed/catalogue";
import { flappingText } from "@microremed/contracts";
import { likelyNames, terminal as refuse } from "@microremed/core";
import { plainPairs, plainTable } from "@microremed/scoring";
import { givenTasks, solutionOf } from "@microremed/solving";
import { Command } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import type { Context } from "../context.ts";
import { outputOption } from "../output.ts";
import { wholeNumber } from "../parse-number.ts";

interface Options extends CatalogueOptions {
  readonly output: "table" | "json";
}

interface Filters extends Options {
  readonly task?: string;
  readonly env?: string;
  readonly heldOut?: boolean;
  readonly runnable?: boolean;
}

/** `microremed problems list|show|describe`: the problems of all suites. */
export function problemsCommand(context: Context): Command {
  const group = new Command("problems");
  for (const verb of [list(context), show(context), describe(context)]) group.addCommand(verb);
  return group;
}

function list(context: Context): Command {
  return new Command("list")
    .description(
      "list the suites of problems; with a suite, its problems and what those that cannot run lack",
    )
    .argument("[suite]", "for example aiopslab@1")
    .option("--task <name>", "only problems with this task")
    .option("--env <name>", "only problems on this environment")
    .option("--held-out", "only problems that are kept from training, by mechanism or by environment")
    .option("--runnable", "only problems that can be run here")
    .addOption(catalogueOption(context))
    .addOption(outputOption())
    .action(async (suite: string | undefined, options: Filters) => {
      const { problems } = await catalogueOf(context, options);
      checkFilters(options, problems.all());
      const fitting = (name: string): Problem[] => problems.of(name).filter((one) => fits(one, options));
      if (suite === undefined)
        return print(
          context,
          options,
          problems.suites.map((name) => suiteRow(name, fitting(name))),
        );
      const found = fitting(suite);
      if (options.output === "json") return context.terminal.print(JSON.stringify(found, null, 2));
      print(context, options, found.map(problemRow));
    });
}

/** Throws `unknown-entry`, with what is like it, for a task or an environment that no problem has. */
function checkFilters({ task, env }: Filters, all: readonly Problem[]): void {
  const check = (noun: string, wanted: string | undefined, known: readonly string[]): void => {
    if (wanted === undefined || known.includes(wanted)) return;
    const message = `no problem has the ${noun} ${JSON.stringify(wanted)}; ${likelyNames(wanted, known)}`;
    throw refuse("unknown-entry", message);
  };
  check("task", task, [...new Set(all.flatMap(({ tasks }) => tasks))].toSorted());
  check("environment", env, [...new Set(all.map(({ environment }) => environment))].toSorted());
}

function fits({ tasks, environment, heldOut, missing }: Problem, wanted: Filters): boolean {
  return (
    (wanted.task === undefined || tasks.includes(wanted.task)) &&
    (wanted.env === undefined || environment === wanted.env) &&
    (wanted.heldOut !== true || heldOut.length > 0) &&
    (wanted.runnable !== true || missing.length === 0)
  );
}

type Row = Readonly<Record<string, string | number>>;

function suiteRow(name: string, problems: readonly Problem[]): Row {
  return {
    suite: name,
    problems: problems.length,
    "run here": problems.filter(({ missing }) => missing.length === 0).length,
    healthy: problems.filter(({ incident }) => incident.length === 0).length,
    "held out": problems.filter(({ heldOut }) => heldOut.length > 0).length,
    environments: new Set(problems.map(({ environment }) => environment)).size,
    tasks: [...new Set(problems.flatMap(({ tasks }) => tasks))].sort().join(", "),
  };
}

function problemRow({ id, environment, tasks, missing }: Problem): Row {
  const problem = id.slice(id.indexOf("/") + 1);
  return { problem, environment, tasks: tasks.join(", "), lacks: missing.join(", ") || "-" };
}

function print({ terminal }: Context, { output }: Pick<Options, "output">, rows: readonly Row[]): void {
  const isNeeded = (column: string): boolean => column !== "lacks" || rows.some(({ lacks }) => lacks !== "-");
  const heading = Object.keys(rows[0] ?? { problem: "" }).filter(isNeeded);
  const lines = rows.map((row) => heading.map((column) => String(row[column] ?? "")));
  terminal.print(
    output === "json" ? JSON.stringify(rows, null, 2) : plainTable([heading, ...lines], terminal.width),
  );
}

function show(context: Context): Command {
  return new Command("show")
    .description("show everything about a problem: what fails, what agents are asked, what it lacks here")
    .argument("<problem>", "<suite>/<problem>, for example microremed@1/simple-micro-easy-01")
    .addOption(catalogueOption(context))
    .addOption(outputOption())
    .action(async (id: string, options: Options) => {
      const problem = (await catalogueOf(context, options)).problems.get(id);
      const { terminal } = context;
      terminal.print(
        options.output === "json"
          ? JSON.stringify(problem, null, 2)
          : plainPairs(pairsOf(problem), terminal.width),
      );
    });
}

function pairsOf(problem: Problem): [string, string][] {
  const { incident, noise, workload, tasks, information, limits, heldOut, note, missing } = problem;
  const faults = incident.map(({ fault, target, parameters, at, flap }) =>
    [
      `${fault} on ${target}`,
      ...(at > 0 ? [`after ${at} s`] : []),
      ...(parameters ? [JSON.stringify(parameters)] : []),
      ...(flap ? [`(${flappingText(flap)})`] : []),
    ].join(" "),
  );
  return [
    ["problem", problem.id],
    ["title", problem.title],
    ["environment", problem.environment],
    ["incident", faults.join("; ") || "none: nothing is wrong"],
    ...(noise.length > 0 ? [["noise", noise.map(noiseText).join("; ")] as [string, string]] : []),
    ...(workload ? [["workload", loadText(workload)] as [string, string]] : []),
    ["tasks", tasks.join(", ")],
    ["report", information.report],
    ["concealment", information.concealment],
    ...(Object.keys(limits).length > 0 ? [["limits", JSON.stringify(limits)] as [string, string]] : []),
    ["held out", heldOut.join(", ") || "no"],
    ...(note === null ? [] : [["differs", note] as [string, string]]),
    ["lacks", missing.join(", ") || "nothing: it can be run"],
  ];
}

const noiseText = ({ noise, target, ago }: Problem["noise"][number]): string =>
  `${noise}${target === undefined ? "" : ` on ${target}`}, ${ago} s before`;

const unknownSolution = "not known here: it follows from the faults, of which some are missing";

function describe(context: Context): Command {
  return new Command("describe")
    .description(
      "print what agents are given of a problem, task by task; never the solution, unless --solution",
    )
    .argument("<problem>", "<suite>/<problem>")
    .option("--solution", "also print what is wrong, and what would be right", false)
    .option(
      "--seed <n>",
      "seed of the experiment, from which values of faults are drawn",
      wholeNumber(0, 2 ** 31 - 1),
      1,
    )
    .addOption(catalogueOption(context))
    .addOption(outputOption())
    .action(async (id: string, options: Options & { readonly solution: boolean; readonly seed: number }) => {
      const catalogue = await catalogueOf(context, options);
      const problem = catalogue.problems.get(id);
      const given = givenTasks(problem, catalogue);
      const solution = solutionOf(problem, options.seed, catalogue) ?? unknownSolution;
      const truth = options.solution ? { solution } : {};
      const { terminal } = context;
      const parts = given.map(({ task, given: text }) => `== ${task}\n\n${text}`);
      const rest = options.solution ? [`== solution\n\n${JSON.stringify(truth.solution, null, 2)}`] : [];
      const lacks =
        problem.missing.length > 0 ? [`It cannot be run here: it lacks ${problem.missing.join(", ")}.`] : [];
      const text = [...parts, ...rest, ...lacks].join("\n\n");
      const all = { problem: problem.id, tasks: given, ...truth };
      terminal.print(options.output === "json" ? JSON.stringify(all, null, 2) : text);
    });
}
