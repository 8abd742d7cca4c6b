import type { Tool } from "@microremed/catalogue";
import { builtInCatalogue } from "@microremed/registry";
import { toolSpecs } from "@microremed/solving";
import { plainToMarkdown } from "./plain-to-markdown.ts";
import { table } from "./table.ts";

/** The part of an argument's JSON schema that a reader needs. */
interface Shown {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

/** What agents get of an answer when a tool sets nothing else, characters. */
const usualAnswer = 4_000;

/** Every tool with its arguments, from their schemas: docs/reference/tools.md. */
export async function toolsReference(): Promise<string> {
  const { tools } = await builtInCatalogue();
  const specs = toolSpecs(tools);
  const sections = tools.all().map((tool) => {
    const name = tool.publishedAs ?? tool.name;
    return [
      `## ${tool.name}`,
      tool.description,
      ...facts(tool),
      ...argumentsOf(tool, specs.get(name)?.parameters),
    ];
  });
  return `${[
    "# Tools",
    "Made from the tools' schemas by `npm run docs:generate`. Models see the same schemas. [What agents see](../own-agent.md#what-agents-see) says how tools work together, [Write a tool](../own-agent.md#write-a-tool) how to add one.",
    ...sections.flat(),
  ].join("\n\n")}\n`;
}

function facts(tool: Tool): string[] {
  const published = tool.publishedAs === undefined ? [] : [`Models know it as \`${tool.publishedAs}\`.`];
  if (tool.kind !== "observe") {
    const end =
      tool.kind === "act"
        ? "It changes the system."
        : "It hands in the answer, or says that the agent is done.";
    return [[...published, end, "It ends the turn."].join(" ")];
  }
  const rights = tool.rights === "write" ? "Only in tasks in which the agent may act." : "It reads.";
  const acts = tool.acts ? " What it changes is an action, after which the turn goes on." : "";
  const most = (tool.maxResult ?? usualAnswer).toLocaleString("en");
  return [[...published, `${rights}${acts} An answer has at most ${most} characters.`].join(" ")];
}

function argumentsOf(tool: Tool, schema: Readonly<Record<string, unknown>> | undefined): string[] {
  if (tool.kind === "submit") return ["Its arguments are the answer, by the task's schema."];
  const properties = Object.entries((schema?.["properties"] ?? {}) as Readonly<Record<string, Shown>>);
  if (properties.length === 0) return ["It takes no arguments."];
  const needed = (schema?.["required"] ?? []) as readonly string[];
  const rows = properties.map(([name, shown]) => [
    `\`${name}\`${needed.includes(name) ? "" : " (optional)"}`,
    typeOf(shown),
    plainToMarkdown(shown.description ?? ""),
  ]);
  const example = typeof tool.example === "string" ? tool.example : JSON.stringify(tool.example);
  return [table(["argument", "type", "what"], rows), `Example: \`${example}\``];
}

function typeOf({ type = "any", enum: words, minimum, maximum, maxLength }: Shown): string {
  if (words) return words.map((word) => `\`${word}\``).join(", ");
  const bounds = [
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? [] : [`to ${maximum}`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
  ];
  return [type, ...bounds].join(" ");
}
