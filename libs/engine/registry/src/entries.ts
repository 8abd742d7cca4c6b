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
  const sorted = list.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const byName = new Map(sorted.map((entry) => [entry.name, entry]));
  const names = [...byName.keys()];
  return {
    names,
    has: (name) => byName.has(name),
    all: () => sorted,
    get(name) {
      const entry = byName.get(name);
      if (entry) return entry;
      const { noun, code } = words[kind];
      throw terminal(
        code,
        `there is no ${noun} ${JSON.stringify(name.slice(0, 200))}; ${likelyNames(name, names)}`,
        { name },
      );
    },
  };
}
