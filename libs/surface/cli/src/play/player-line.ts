import { isJsonObject, likelyNames, parseJson } from "@microremed/core";

/** A tool as players are offered it. */
export interface PlayedTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of its arguments. */
  readonly parameters: Schema;
}

interface Schema {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}

interface Property extends Schema {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  /** Of a list. */
  readonly items?: Property;
}

/** What a line means. */
export type PlayerLine =
  | { readonly kind: "call"; readonly name: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly kind: "help"; readonly about: string | undefined }
  | { readonly kind: "quit" }
  | { readonly kind: "wrong"; readonly why: string };

const words = { help: "help", quit: "quit" } as const;

/**
 * Reads a line: `help [tool]`, `quit`, or a tool with its arguments as `name=value` or as one JSON object. Values are
 * JSON or text, in quotes if they have blanks; `@file` is what the file holds. A tool that takes one text gets the rest of the
 * line. `readFile` gives a file's text, or undefined where it cannot be read.
 */
export function readPlayerLine(
  line: string,
  tools: readonly PlayedTool[],
  readFile: (path: string) => string | undefined,
): PlayerLine {
  const [name = "", ...more] = line.trim().split(/\s+/);
  const rest = line.trim().slice(name.length).trim();
  if (name === words.help) return { kind: "help", about: more[0] };
  if (name === words.quit) return { kind: "quit" };
  const tool = tools.find((one) => one.name === name);
  if (!tool) return { kind: "wrong", why: noTool(name, tools) };
  if (rest.startsWith("{")) {
    const args = parseJson(rest);
    if (isJsonObject(args)) return checked({ kind: "call", name, args }, tool);
    return { kind: "wrong", why: "these arguments are no JSON" };
  }
  const only = onlyText(tool);
  if (only !== undefined && rest !== "" && !rest.startsWith(`${only}=`))
    return valued(rest, readFile, (value) => ({ kind: "call", name, args: { [only]: value } }));
  return checked(pairs(tool, rest, readFile), tool);
}

/** Programs that people type as they would in a shell. */
const programs = new Set(["kubectl", "k", "curl", "grep", "ls", "ps", "cat"]);
const shell = "exec_shell";

function noTool(name: string, tools: readonly PlayedTool[]): string {
  const names = tools.map((tool) => tool.name);
  const hint =
    programs.has(name) && names.includes(shell)
      ? `a command is run with ${shell} ${name} ...`
      : likelyNames(name, [...names, ...Object.values(words)]);
  return `there is no tool ${JSON.stringify(name)}; ${hint}`;
}

/** A slip in an argument is explained at once: it costs no call. */
function checked(line: PlayerLine, { name, parameters }: PlayedTool): PlayerLine {
  const { properties = {}, required = [] } = parameters;
  if (line.kind !== "call") return line;
  const args: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(line.args)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const known = Object.keys(properties);
    if (!property)
      return {
        kind: "wrong",
        why: `${name} has no argument "${key}"; ${known.length === 0 ? "it takes none" : `it takes ${known.join(", ")}`}`,
      };
    args[key] = property.type === "string" && typeof value !== "string" ? String(value) : value;
    const wrong = wrongIn(property, args[key], key);
    if (wrong !== undefined) return { kind: "wrong", why: `${wrong}; type help ${name}` };
  }
  const missing = required.find((one) => !Object.hasOwn(args, one));
  if (missing !== undefined)
    return {
      kind: "wrong",
      why: `${name} needs ${assignment(missing, properties[missing])}; type help ${name}`,
    };
  return { ...line, args };
}

/** `objects=[{"kind":"...","name":"..."}]` */
const assignment = (name: string, property: Property = {}): string =>
  `${name}=${JSON.stringify(exampleOf(property))}`;

/** What is wrong with a value, or in it, by the schema's words; undefined: nothing that they say. */
function wrongIn(property: Property, value: unknown, path: string): string | undefined {
  const { type, items, properties = {}, required = [] } = property;
  if (!isOfKind(property, value)) {
    const isJson = type === "array" || type === "object";
    const form = isJson ? ` in JSON, such as ${JSON.stringify(exampleOf(property))}` : "";
    return `${path}=${typeof value === "string" ? value : JSON.stringify(value)}: expected ${kindOf(property)}${form}`;
  }
  if (items && Array.isArray(value)) return firstOf(value, (one, i) => wrongIn(items, one, `${path}[${i}]`));
  if (!isJsonObject(value)) return undefined;
  const missing = required.find((one) => !Object.hasOwn(value, one));
  if (missing !== undefined) return `${path}.${missing} is missing`;
  return firstOf(Object.entries(value), ([key, inner]) => {
    const part = Object.hasOwn(properties, key) ? properties[key] : undefined;
    return part && wrongIn(part, inner, `${path}.${key}`);
  });
}

function firstOf<T>(all: readonly T[], find: (one: T, at: number) => string | undefined): string | undefined {
  for (const [at, one] of all.entries()) {
    const found = find(one, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a value can be one of the property, as far as the schema's outermost word says. */
function isOfKind({ type, enum: choices }: Property, value: unknown): boolean {
  if (choices) return choices.includes(value);
  if (type === "integer") return Number.isInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isJsonObject(value);
  return type !== "number" && type !== "boolean" ? true : typeof value === type;
}

/** What a property takes, in words. */
const kindOf = ({ type, enum: choices }: Property): string =>
  choices?.join(" | ") ?? (typeof type === "string" ? type : "value");

/** The one argument of a tool that takes a single text; undefined: it takes others. */
function onlyText({ parameters }: PlayedTool): string | undefined {
  const [first, ...others] = Object.entries(parameters.properties ?? {});
  return first && others.length === 0 && first[1].type === "string" ? first[0] : undefined;
}

const key = /([A-Za-z_][\w.]*)=/y;
/** A text in quotes, or one word. */
const word = /"(?:[^"\\]|\\.)*"|'[^']*'|\S+/y;

/** The value that begins at a place of the text: a list or an object in JSON, which may have blanks, or a word. */
function valueFrom(text: string, at: number): string | undefined {
  if (/[[{]/.test(text[at] ?? ""))
    for (let end = at + 1; end <= text.length; end++) {
      const part = text.slice(at, end);
      if (/[\]}]$/.test(part) && parseJson(part) !== undefined) return part;
    }
  word.lastIndex = at;
  return word.exec(text)?.[0];
}

function pairs(
  { name, parameters: { properties = {}, required = [] } }: PlayedTool,
  text: string,
  readFile: (path: string) => string | undefined,
): PlayerLine {
  const [usual = "<argument>"] = [...required, ...Object.keys(properties)];
  const args: Record<string, unknown> = {};
  let at = 0;
  while (at < text.length) {
    key.lastIndex = at;
    const [whole = "", argument = ""] = key.exec(text) ?? [];
    const raw = whole === "" ? undefined : valueFrom(text, at + whole.length);
    if (raw === undefined)
      return { kind: "wrong", why: `write ${name} ${usual}=<value> ..., not "${text.slice(at)}"` };
    const line = valued(raw, readFile, (value) => {
      args[argument] = value;
      return { kind: "call", name, args };
    });
    if (line.kind === "wrong") return line;
    at += whole.length + raw.length;
    while (/\s/.test(text[at] ?? "")) at++;
  }
  return { kind: "call", name, args };
}

function valued(
  raw: string,
  readFile: (path: string) => string | undefined,
  then: (value: unknown) => PlayerLine,
): PlayerLine {
  if (!raw.startsWith("@")) {
    const quoted = /^'(.*)'$/s.exec(raw)?.[1];
    return then(quoted ?? parseJson(raw) ?? raw);
  }
  const text = readFile(raw.slice(1));
  return text === undefined ? { kind: "wrong", why: `cannot read ${raw.slice(1)}` } : then(text);
}

/** What a line that begins so may go on with: the tools' names, then the arguments of the tool. */
export function completionsOf(line: string, tools: readonly PlayedTool[]): string[] {
  const parts = line.split(/\s+/);
  const last = parts.at(-1) ?? "";
  const names = [...tools.map(({ name }) => name), ...Object.values(words)];
  if (parts.length < 2 || (parts[0] === words.help && parts.length === 2))
    return names.filter((name) => name.startsWith(last));
  const { properties = {} } = tools.find(({ name }) => name === parts[0])?.parameters ?? {};
  const [key, value] = last.split("=", 2);
  if (value === undefined)
    return Object.keys(properties)
      .filter((name) => name.startsWith(key ?? ""))
      .map((name) => `${name}=`);
  const choices = (properties[key ?? ""]?.enum ?? []).map(String);
  return choices.filter((one) => one.startsWith(value)).map((one) => `${key}=${one}`);
}

/** The tools in a line each, or everything about one. */
export function helpText(tools: readonly PlayedTool[], about: string | undefined): string {
  const tool = tools.find(({ name }) => name === about);
  if (!tool) {
    const lines = tools.map(
      ({ name, description }) => `  ${name.padEnd(18)} ${description.split(/(?<=\.)\s/)[0]}`,
    );
    return [
      "Write a tool and its arguments as name=value, or as one JSON object; @file is what a file holds. The Tab key completes.",
      ...lines,
      `  ${"help <tool>".padEnd(18)} Its arguments.`,
      `  ${"quit".padEnd(18)} Give up.`,
    ].join("\n");
  }
  const { properties = {}, required = [] } = tool.parameters;
  const isNested = Object.values(properties).some((property) => partsOf(property).properties);
  const needed = Object.entries(properties).filter(([name]) => required.includes(name));
  const example = needed.map(([name, property]) => `${name}=${JSON.stringify(exampleOf(property))}`);
  return [
    tool.description,
    ...argumentLines(tool.parameters, "  "),
    ...(isNested ? [`For example: ${[tool.name, ...example].join(" ")}`] : []),
  ].join("\n");
}

/** What a list, or an object, is made of. */
const partsOf = (property: Property): Property => (property.items ? partsOf(property.items) : property);

/** A line for each argument, and below it one for each field that it has. */
function argumentLines({ properties = {}, required = [] }: Schema, indent: string): string[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const { description = "" } = property;
    const of = property.items ? `list of ${kindOf(property.items)}` : kindOf(property);
    const line = `${indent}${name}${required.includes(name) ? "" : " (optional)"}: ${of}. ${description}`;
    return [line.trimEnd(), ...argumentLines(partsOf(property), `${indent}  `)];
  });
}

/** A value that has the property's form. */
function exampleOf(property: Property): unknown {
  const { type, enum: choices, items, properties = {}, required = [] } = property;
  if (choices) return choices[0];
  if (items) return [exampleOf(items)];
  const needed = Object.entries(properties).filter(([name]) => required.includes(name));
  if (type === "object") return Object.fromEntries(needed.map(([name, one]) => [name, exampleOf(one)]));
  if (type === "boolean") return true;
  return type === "integer" || type === "number" ? 1 : "...";
}
