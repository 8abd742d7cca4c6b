import { terminal } from "@microremed/core";
import { z } from "zod";

/** Text from Redis as its schema says. Throws a terminal `internal` that names the key: only this product writes there. */
export function parseStored<T>(schema: z.ZodType<T>, key: string, text: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw terminal("internal", `what Redis holds under ${key} is not JSON: ${String(error)}`, { key });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw terminal("internal", `what Redis holds under ${key} is wrong:\n${z.prettifyError(parsed.error)}`, {
    key,
  });
}
