import { wrongLines } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import type { z } from "zod";

/** Longer texts are not worth keeping. */
const longestKept = 65_536;

/** `parseStored` that knows the latest texts that were read or written, so that each is parsed once. */
export interface Parser<T> {
  parse(key: string, text: string): T;
  /** The text was made from this value just now. */
  remember(key: string, text: string, value: T): void;
  /** What was read or written last, if it is known still. */
  latest(key: string): T | undefined;
  forgetAll(): void;
}

/** Keeps at most so many, the oldest of which goes first. */
export function createParser<T>(schema: z.ZodType<T>, most: number): Parser<T> {
  const known = new Map<string, { readonly text: string; readonly value: T }>();
  const remember = (key: string, text: string, value: T): void => {
    known.delete(key);
    if (text.length > longestKept) return;
    known.set(key, { text, value });
    const [oldest] = known.size > most ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
  };
  return {
    remember,
    latest: (key) => known.get(key)?.value,
    forgetAll: () => known.clear(),
    parse: (key, text) => {
      const found = known.get(key);
      if (found?.text === text) return found.value;
      const value = parseStored(schema, key, text);
      remember(key, text, value);
      return value;
    },
  };
}

/** Stored text as its schema says. Throws a terminal `internal` that names the key: only this product writes there. */
export function parseStored<T>(schema: z.ZodType<T>, key: string, text: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw terminal("internal", `what the state holds under ${key} is not JSON: ${String(error)}`, { key });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw terminal("internal", `what the state holds under ${key} is wrong:\n${wrongLines(parsed.error)}`, {
    key,
  });
}
