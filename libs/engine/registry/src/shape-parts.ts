import { z } from "zod";
import { entryNames } from "./entry-names.ts";

export const text = z.string().min(1);
export const names = z.array(text);
export const aFunction = z.custom((value) => typeof value === "function", "a function");

/** What every entry of a kind has. */
export const entry = <K extends keyof typeof entryNames>(kind: K) => ({
  entry: z.literal(kind, { error: `the result of define${kind[0]?.toUpperCase()}${kind.slice(1)}({ ... })` }),
  name: entryNames[kind],
});
