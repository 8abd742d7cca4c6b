import { wrongLines } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import type { z } from "zod";

const decoder = new TextDecoder();

/** The body as JSON text. Throws a terminal `invalid-message` that names every wrong field. */
export function encode(schema: z.ZodType | undefined, subject: string, body: unknown): string {
  if (schema === undefined) return JSON.stringify(body);
  const parsed = schema.safeParse(body);
  if (parsed.success) return JSON.stringify(parsed.data);
  throw terminal("invalid-message", `a message for ${subject} is wrong:\n${wrongLines(parsed.error)}`, {
    subject,
  });
}

/**
 * The body as its schema says. Fields that the schema does not know are dropped, so that a newer sender may add some.
 * Throws a terminal `invalid-message` that names every wrong field.
 */
export function decode<T>(
  schema: z.ZodType<T>,
  subject: string,
  data: Uint8Array,
  format: "json" | "text" = "json",
): T {
  const text = decoder.decode(data);
  const parsed = parseTolerantly(schema, format === "text" ? text : parseJson(subject, text));
  if (parsed.success) return parsed.data;
  throw terminal("invalid-message", `a message on ${subject} is wrong:\n${wrongLines(parsed.error)}`, {
    subject,
  });
}

function parseJson(subject: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw terminal("invalid-message", `a message on ${subject} is not JSON: ${String(error)}`, { subject });
  }
}

/** Every pass removes the unknown fields that the last one met; a schema's depth bounds the passes. */
const maxPasses = 10;

function parseTolerantly<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> {
  let parsed = schema.safeParse(value);
  for (let pass = 0; pass < maxPasses && !parsed.success; pass++) {
    const { issues } = parsed.error;
    if (!issues.every((issue) => issue.code === "unrecognized_keys")) break;
    for (const issue of issues) {
      if (issue.code === "unrecognized_keys") dropKeys(value, issue.path, issue.keys);
    }
    parsed = schema.safeParse(value);
  }
  return parsed;
}

function dropKeys(value: unknown, path: readonly PropertyKey[], keys: readonly string[]): void {
  let holder: unknown = value;
  for (const step of path) {
    if (typeof holder !== "object" || holder === null) return;
    holder = Reflect.get(holder, step);
  }
  if (typeof holder !== "object" || holder === null) return;
  for (const key of keys) Reflect.deleteProperty(holder, key);
}
