import type { Problem } from "@microremed/catalogue";
import { builtInCatalogue, type Catalogue } from "@microremed/registry";
import { table } from "./table.ts";

/** The problems of every suite, and which of another benchmark's is which of ours: docs/reference/problems.md. */
export async function problemsReference(): Promise<string> {
  const catalogue = await builtInCatalogue();
  const { problems, suites } = catalogue;
  const elsewhere = problems.suites.filter((name) => suites.get(name).elsewhere);
  return `${[
    "# Problems\n\nMade from the suites' folders by `npm run docs:generate`. [What a problem is](../problems.md). `microremed problems list <suite>` lists those of one suite, `microremed problems show <problem>` shows one.",
    "## Suites",
    table(
      ["suite", "what", "problems", "run here", "healthy", "held out", "environments", "tasks"],
      problems.suites.map((name) => suiteRow(name, problems.of(name), catalogue)),
    ),
    "Healthy: nothing is wrong in them. Held out: kept from training, by mechanism or by environment.",
    ...elsewhere.flatMap((name) => theirs(name, problems.of(name), suites.get(name).description)),
  ].join("\n\n")}\n`;
}

function suiteRow(name: string, problems: readonly Problem[], { suites }: Catalogue): string[] {
  const count = (fits: (problem: Problem) => boolean): string => String(problems.filter(fits).length);
  const tasks = [...new Set(problems.flatMap((problem) => problem.tasks))].sort();
  return [
    `\`${name}\``,
    suites.get(name).description,
    String(problems.length),
    count(({ missing }) => missing.length === 0),
    count(({ incident }) => incident.length === 0),
    count(({ heldOut }) => heldOut.length > 0),
    String(new Set(problems.map(({ environment }) => environment)).size),
    tasks.join(", "),
  ];
}

/** Which problem of theirs is which of ours, and what differs. */
function theirs(name: string, problems: readonly Problem[], description: string): string[] {
  const runnable = problems.filter(({ missing }) => missing.length === 0).length;
  return [
    `## ${name}`,
    `${description.charAt(0).toUpperCase()}${description.slice(1)}: ${problems.length}, of which ${runnable} can be run. The solution of each follows from the ground truth of its faults, and what counts as a repair from our [oracles](../scoring.md): none of their checks is used. The column "differs" says what is wrong with theirs, or what is asked otherwise.`,
    table(
      ["problem", "environment", "faults", "tasks", "lacks here", "differs"],
      problems.map(({ id, environment, incident, tasks, missing, note }) => [
        id.slice(id.indexOf("/") + 1),
        environment,
        incident.map(({ fault, target }) => `${fault} on ${target}`).join(", ") || "none",
        tasks.join(", "),
        missing.join(", ") || "nothing",
        note ?? "",
      ]),
    ),
  ];
}
