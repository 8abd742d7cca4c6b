import type { EnvFrom } from "./environment.types.ts";

/** The variables that a container takes from an object as a whole. `data`: what the object holds; undefined: there is none. */
export const variablesFrom = (
  { prefix = "" }: EnvFrom,
  data: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(data ?? {}).map(([key, value]) => [`${prefix}${key}`, value]));
