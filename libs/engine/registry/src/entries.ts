import { likelyNames, terminal } from "@microremed/core";
import type { Entries } from "./catalogue.types.ts";
import type { LoadedKind } from "./kinds.ts";

/** What the kinds are called in messages, and the code of the error for an unknown name. */
const words: Readonly<Record<LoadedKind, { readonly noun: string; readonly code: string }>> = {
  faults: { noun: "failure", code: "unknown-failure" },
  noises: { noun: "noise", code: "unknown-entry" },
  oracles: { noun: "oracle", code: "unknown-entry" },
  tools: { noun: "tool", code: "unknown-entry" },
  tasks: { noun: "task", code: "unknown-entry" },
  agents: { noun: "method", code: "unknown-method" },
  suites: { noun: "suite", code: "unknown-entry" },
};

/** Looks up entries by their names. */
export function createEntries<T extends { readonly name: string }>(
  kind: LoadedKind,
  list: readonly T[],
): Entries<T> {
  return createLateEntries(kind, new Map(list.map((entry) => [entry.name, () => entry])));
}

/** The same for entries that are read when they are asked for, each by the function under its name. */
export function createLateEntries<T>(kind: LoadedKind, readers: ReadonlyMap<string, () => T>): Entries<T> {
  const names = [...readers.keys()].toSorted((a, b) => (a < b ? -1 : 1));
  let every: readonly T[] | undefined;
  return {
    names,
    has: (name) => readers.has(name),
    all: () => (every ??= names.flatMap((name) => readers.get(name)?.() ?? [])),
    get(name) {
      const read = readers.get(name);
      if (read) return read();
      const { noun, code } = words[kind];
      throw terminal(
        code,
        `there is no ${noun} ${JSON.stringify(name.slice(0, 200))}; ${likelyNames(name, names)}`,
        { name },
      );
    },
  };
}
