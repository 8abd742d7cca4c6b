import { handedInBounds, type ToolCall } from "@microremed/contracts";
import { beyondBounds, type JsonBounds, parseJson } from "@microremed/core";
import type { z } from "zod";

/** A call's arguments, or in words why it has none. The words go back to the model. */
export type Argument<T> = { readonly value: T } | { readonly problem: string };

interface Reading<T> {
  readonly schema: z.ZodType<T>;
  /** How the arguments must be, e.g. `like {"of":"pod/cart-0"}`. */
  readonly expected: string;
  /** Models call a tool without arguments with none at all. */
  readonly mayBeEmpty?: boolean;
  /** Default: those of whatever is handed in. */
  readonly bounds?: JsonBounds;
}

/** Reads a call's arguments, which are JSON as the model wrote it. */
export function readArguments<T>(
  call: ToolCall,
  { schema, expected, mayBeEmpty, bounds = handedInBounds }: Reading<T>,
): Argument<T> {
  const rule = `the arguments of ${call.name} must be one JSON object ${expected}`;
  const json = parseJson(mayBeEmpty && call.arguments.trim() === "" ? "{}" : call.arguments);
  if (json === undefined) return { problem: `Error: no valid JSON; ${rule}.` };
  const tooLarge = beyondBounds(json, bounds);
  if (tooLarge !== undefined) return { problem: `Error: what was given ${tooLarge}; ${rule}.` };
  const parsed = schema.safeParse(json);
  return parsed.success ? { value: parsed.data } : { problem: wrong(parsed.error, rule) };
}

/** Of wrong fields that are named. */
const mostNamed = 3;

/** What is wrong with which field goes before the rule; a whole sentence of a tool's author stands alone. */
function wrong({ issues }: z.ZodError, rule: string): string {
  const said = issues.find(({ code, message }) => code === "custom" && message !== "Invalid input")?.message;
  if (said?.endsWith(".")) return `Error: ${said}`;
  const why = said ?? issues.slice(0, mostNamed).map(inWords).join("; ");
  return `Error: ${why}; ${rule}.`;
}

function inWords({ path, message }: z.core.$ZodIssue): string {
  const what = message.replace(/^Invalid input: /, "");
  return path.length === 0 ? what : `${path.join(".")}: ${what}`;
}
