import { z } from "zod";
import { catalog, type Party, streams } from "../libs/contracts/src/index.ts";
import { plainToMarkdown } from "./plain-to-markdown.ts";

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly additionalProperties?: JsonSchema | boolean;
}

/** The message reference as Markdown, made from the schemas: what is here is what is checked at both ends. */
export function messageReference(): string {
  return [
    "# Message reference",
    "",
    "Made from `libs/contracts` by `npm run docs:generate`; do not edit. Bodies are JSON. Publishers and receivers both check the schema.",
    "",
    "## Streams",
    "",
    "| stream | subjects | retention | for |",
    "| --- | --- | --- | --- |",
    ...Object.values(streams).map(
      (stream) =>
        `| ${stream.name} | \`${stream.subjects.join("`, `")}\` | ${stream.retention} | ${stream.doc} |`,
    ),
    "",
    ...catalog.flatMap((entry) => [
      `## ${entry.name}`,
      "",
      `\`${entry.subject}\`, version ${entry.version}, from ${namesOf(entry.from)} to ${namesOf(entry.to)}. ${plainToMarkdown(entry.doc)}`,
      "",
      ...fields(schemaOf(entry.schema)),
      ...(entry.reply ? ["", "Reply:", "", ...fields(schemaOf(entry.reply))] : []),
      "",
    ]),
    "The codes of errors in messages are in [error codes](errors.md).",
    "",
  ].join("\n");
}

function namesOf(parties: readonly Party[]): string {
  return parties.map((party) => (party === "client" ? "any client" : party)).join(", ");
}

function schemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
}

function fields(schema: JsonSchema): string[] {
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) return variants.flatMap((variant) => [`- ${variantName(variant)}`, ...nested(variant, 1)]);
  return nested(schema, 0);
}

function variantName(schema: JsonSchema): string {
  const tags = Object.entries(schema.properties ?? {}).filter(([, field]) => field.const !== undefined);
  return (
    tags.map(([name, field]) => `\`${name}: ${JSON.stringify(field.const)}\``).join(", ") || typeName(schema)
  );
}

function nested(schema: JsonSchema, depth: number): string[] {
  const indent = "  ".repeat(depth);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    if (field.const !== undefined && depth > 0) return [];
    const optional = schema.required?.includes(name) ? "" : ", optional";
    const fallback = field.default === undefined ? "" : `, default ${JSON.stringify(field.default)}`;
    const line = `${indent}- \`${name}\` (${typeName(field)}${optional}${fallback})${field.description ? `: ${plainToMarkdown(field.description)}` : ""}`;
    return [line, ...inner(field, depth + 1)];
  });
}

function inner(field: JsonSchema, depth: number): string[] {
  const indent = "  ".repeat(depth);
  const variants = (field.oneOf ?? field.anyOf ?? []).filter((variant) => variant.properties);
  const several = variants.length > 1;
  return [
    ...nested(field, depth),
    ...(field.items ? inner(field.items, depth) : []),
    ...variants.flatMap((variant) =>
      several
        ? [`${indent}- ${variantName(variant)}`, ...nested(variant, depth + 1)]
        : nested(variant, depth),
    ),
  ];
}

function typeName(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" or ");
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) return [...new Set(variants.map(typeName))].join(" or ");
  if (schema.type === "array") return `list of ${schema.items ? typeName(schema.items) : "anything"}`;
  return Array.isArray(schema.type) ? schema.type.join(" or ") : String(schema.type ?? "anything");
}
