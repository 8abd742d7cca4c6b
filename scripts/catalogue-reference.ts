import { mechanisms, type Remedy, type Suite, sharedShortcuts, shortcutsOf } from "@microremed/catalogue";
import { builtInCatalogue, type Catalogue } from "@microremed/registry";
import { placeholders, readCorpus } from "@microremed/remedies";
import { toolSpecs } from "@microremed/solving";
import { table } from "./table.ts";

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ") || "none";
const list = (remedies: readonly Remedy[]): string =>
  remedies.map(({ name, doc }) => `- \`${name}\`: ${doc}`).join("\n");

/** How many cases or problems a suite has, or that its cases are drawn. */
function sizeOf({ name, cases }: Suite, { problems }: Pick<Catalogue, "problems">): string {
  if (problems.suites.includes(name)) return `${problems.of(name).length} problems`;
  return cases.length > 0 ? String(cases.length) : "drawn";
}

/** What is in the catalogue, as its entries say it: docs/reference/catalogue.md. */
export async function catalogueReference(): Promise<string> {
  const catalogue = await builtInCatalogue();
  const { faults, noises, oracles, suites, environments } = catalogue;
  const shared = sharedShortcuts.map(({ name }) => name);
  const rightActions = new Map(
    faults.all().flatMap(({ rightActions }) => rightActions.map(({ name, doc }) => [name, doc] as const)),
  );
  const remediesOf = faults.all().map((fault) => {
    const own = shortcutsOf(fault).filter(({ name }) => !shared.includes(name));
    const parts = [`### ${fault.name}`, "Repairs:", list(fault.repairs)];
    return [...parts, ...(own.length > 0 ? ["Shortcuts of its own:", list(own)] : [])].join("\n\n");
  });
  const cases = suites.all();
  return `${[
    "# Catalogue\n\nMade from the entries' folders by `npm run docs:generate`. [Add your own](../catalogue.md).",
    "## Faults",
    table(
      ["name", "what", "symptom", "recovered when these pass", "right actions", "parameters", "strengths"],
      faults
        .all()
        .map((fault) => [
          `\`${fault.name}\``,
          fault.title,
          `\`${fault.symptom}\``,
          code(fault.recovery),
          code(fault.rightActions.map(({ name }) => name)),
          code(Object.keys(fault.parameters.shape)),
          (fault.strengths ?? []).map(({ name }) => name).join(", ") || "its own alone",
        ]),
    ),
    "Right actions, which end a fault for good where a new pod does not (`persistence: rearm`):",
    table(
      ["right action", "taken when"],
      [...rightActions].map(([name, doc]) => [`\`${name}\``, doc]),
    ),
    "## Noises",
    "Harmless oddities, which problems name in [`noise`](../problems.md#noise). None is an incident.",
    table(
      ["name", "what", "where", "parameters"],
      noises
        .all()
        .map(({ name, description, targets, parameters }) => [
          `\`${name}\``,
          description,
          targets ? "on a workload" : "beside the system",
          code(Object.keys(parameters.shape)),
        ]),
    ),
    "## Repairs and shortcuts",
    "The audit tries all of them: a judge that takes a shortcut for a recovery, or a repair for none, is wrong. Shortcuts of every fault, unless its folder says that one does not apply:",
    list(sharedShortcuts),
    ...remediesOf,
    ...corpusReference(catalogue),
    "## Oracles",
    "In the order in which they run. Those that judge always do so whatever the fault names; any other judges nothing until the `recovery` of a fault names it.",
    table(
      ["name", "passes when", "judges", "can be a fault's symptom"],
      oracles
        .all()
        .toSorted((a, b) => a.cost - b.cost)
        .map(({ name, description, always, symptom }) => [
          `\`${name}\``,
          description,
          always ? "always" : "if named",
          symptom ? "yes" : "no",
        ]),
    ),
    ...solvingReference(catalogue),
    "## Suites",
    "A fault's name is a suite too: that fault fifteen times. Without a version, `@1` is meant.",
    table(
      ["name", "what", "cases or problems"],
      cases.map((suite) => [`\`${suite.name}\``, suite.description, sizeOf(suite, catalogue)]),
    ),
    "## Environments",
    table(
      ["name", "what", "workloads", "targets"],
      environments
        .all()
        .map((one) => [
          `\`${one.name}\``,
          one.description,
          String(Object.keys(one.workloads).length),
          String(one.targets.length),
        ]),
    ),
  ].join("\n\n")}\n`;
}

/** The audit's corpus, and what its files are written with. */
function corpusReference({ faults, environments }: Catalogue): string[] {
  const corpus = readCorpus([], { faults: faults.names, environments: environments.names });
  const words = ({ recovered, clean }: (typeof corpus)[number]["expected"]): string =>
    clean ? "a repair" : recovered ? "recovered, not clean" : "no recovery";
  return [
    "## The audit's corpus",
    "Remedies of which it is known what the verdicts must say, one file each. [How the audit works](../scoring.md#the-verdicts-own-error).",
    table(
      ["class", "name", "what it does", "expected"],
      corpus
        .toSorted((a, b) => (a.class < b.class ? -1 : a.class > b.class ? 1 : 0))
        .map((one) => [one.class, `\`${one.name}\``, one.description, words(one.expected)]),
    ),
    "Placeholders of these files, each between two `@`:",
    table(
      ["placeholder", "becomes"],
      Object.entries(placeholders).map(([name, { doc }]) => [`\`${name}\``, doc]),
    ),
  ];
}

/** What agents call, what they are asked, and who they are. */
function solvingReference({ tools, tasks, agents }: Catalogue): string[] {
  const specs = toolSpecs(tools);
  return [
    "## Tools",
    "What agents call. Models know a tool by the name in parentheses where it has another one.",
    table(
      ["name", "what", "kind", "arguments"],
      tools.all().map((tool) => {
        const shown =
          tool.kind === "submit"
            ? undefined
            : specs.get(tool.publishedAs ?? tool.name)?.parameters["properties"];
        const name = tool.publishedAs === undefined ? "" : ` (\`${tool.publishedAs}\`)`;
        const taken = shown === undefined ? "those of the task's answer" : code(Object.keys(shown ?? {}));
        return [`\`${tool.name}\`${name}`, tool.description, tool.kind, taken];
      }),
    ),
    "## Tasks",
    table(
      ["name", "what", "graded"],
      tasks
        .all()
        .map(({ name, title, answer, parts }) => [
          `\`${name}\``,
          title,
          parts?.join(", ") ?? (answer === null ? "the system" : "the answer, by the ground truth"),
        ]),
    ),
    "## Mechanisms",
    "How a cause leads to its symptom: each fault names one, and so do answers to the task `analysis`.",
    table(
      ["name", "what"],
      Object.entries(mechanisms).map(([name, doc]) => [`\`${name}\``, doc]),
    ),
    "## Agents",
    table(
      ["name", "what", "tasks", "tools"],
      agents
        .all()
        .map(({ name, description, tasks: done, tools: used }) => [
          `\`${name}\``,
          description,
          done === "all" ? "all" : code(done),
          code(used),
        ]),
    ),
  ];
}
