import type { ToolCall } from "@microremed/contracts";
import { isJsonObject, parseJson } from "@microremed/core";
import type { ToolSpec } from "./chat.types.ts";

type TextCall = Omit<ToolCall, "id">;

export interface CallsInText {
  /** The text before the first call. */
  readonly before: string;
  readonly calls: readonly TextCall[];
}

const action =
  /^[ \t>*]*Action[ \t*]*:[ \t*]*[`"]?([\w.-]+)[`"]?[ \t*]*\r?\n[ \t>*]*Action Input[ \t*]*:[ \t*]*/gim;
const observation = /^[ \t>*]*Observation[ \t*]*:/im;
const tagged = /<tool_call>\s*([\s\S]*?)\s*(?:<\/tool_call>|$)/g;
const fence = /^\s*```(?:json|ya?ml)?[ \t]*\r?\n([\s\S]*?)\r?\n?```\s*$/i;

/**
 * Tool calls that a model wrote into its text instead of calling: `Action:` and `Action Input:`, `<tool_call>`, or an
 * answer that is nothing but `{"name": ..., "arguments": ...}`. Only calls of the tools at hand count.
 */
export function callsInText(text: string, tools: readonly ToolSpec[]): CallsInText | undefined {
  return actionsIn(text, tools) ?? taggedIn(text, tools) ?? wholeCall(text, tools);
}

function actionsIn(text: string, tools: readonly ToolSpec[]): CallsInText | undefined {
  const matches = [...text.matchAll(action)];
  const calls = matches.flatMap((match, index): TextCall[] => {
    const from = match.index + match[0].length;
    const upTo = text.slice(from, matches[index + 1]?.index);
    const invented = observation.exec(upTo)?.index;
    const input = invented === undefined ? upTo : upTo.slice(0, invented);
    const tool = tools.find(({ name }) => name === match[1]);
    return tool ? [{ name: tool.name, arguments: argumentsFrom(input, tool) }] : [];
  });
  return calls.length > 0 ? { before: text.slice(0, matches[0]?.index).trim(), calls } : undefined;
}

function taggedIn(text: string, tools: readonly ToolSpec[]): CallsInText | undefined {
  const matches = [...text.matchAll(tagged)];
  const calls = matches.flatMap((match) => callFrom(parseJson(match[1] ?? ""), tools) ?? []);
  return calls.length > 0 ? { before: text.slice(0, matches[0]?.index).trim(), calls } : undefined;
}

function wholeCall(text: string, tools: readonly ToolSpec[]): CallsInText | undefined {
  const call = callFrom(parseJson(fence.exec(text)?.[1] ?? text), tools);
  return call && { before: "", calls: [call] };
}

function callFrom(value: unknown, tools: readonly ToolSpec[]): TextCall | undefined {
  if (typeof value !== "object" || value === null || !("name" in value)) return undefined;
  const tool = tools.find(({ name }) => name === value.name);
  if (!tool) return undefined;
  const input = "arguments" in value ? value.arguments : "parameters" in value ? value.parameters : {};
  return { name: tool.name, arguments: typeof input === "string" ? input : JSON.stringify(input) };
}

/** JSON where it is JSON; where a tool takes one text alone, the text itself will do. */
function argumentsFrom(input: string, tool: ToolSpec): string {
  const text = (fence.exec(input)?.[1] ?? input).trim();
  if (isJsonObject(parseJson(text))) return text;
  const object = text.startsWith("{") ? firstObject(text) : undefined;
  if (object !== undefined) return object;
  const only = onlyText(tool);
  return only === undefined || text.startsWith("{") ? text : JSON.stringify({ [only]: unquoted(text) });
}

/** The object that a text begins with, when more text follows. */
function firstObject(text: string): string | undefined {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) {
      const object = text.slice(0, at + 1);
      return isJsonObject(parseJson(object)) ? object : undefined;
    }
  }
  return undefined;
}

function onlyText({ parameters }: ToolSpec): string | undefined {
  const { required, properties } = parameters;
  if (!Array.isArray(required) || required.length !== 1 || !isJsonObject(properties)) return undefined;
  const [name]: unknown[] = required;
  const property: unknown = typeof name === "string" ? properties[name] : undefined;
  return typeof name === "string" && isJsonObject(property) && property["type"] === "string"
    ? name
    : undefined;
}

function unquoted(text: string): string {
  const value = parseJson(text);
  return typeof value === "string" ? value : text;
}
