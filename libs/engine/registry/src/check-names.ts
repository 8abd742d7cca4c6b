import type { Fault, Suite } from "@microremed/catalogue";
import type { Placed } from "./find-entries.ts";
import type { Wrong } from "./wrong.types.ts";

/** Names that several entries of a kind have, capitals and small letters being one. */
export function twice(placed: readonly Placed<{ readonly name: string }>[]): Wrong[] {
  const first = new Map<string, string>();
  return placed.flatMap(({ entry, file }) => {
    const name = entry.name.toLowerCase();
    const other = first.get(name);
    first.set(name, other ?? file);
    return other === undefined
      ? []
      : [{ place: file, field: "name", expected: `a unique name: ${other} has "${entry.name}" too` }];
  });
}

/** Faults and suites that a request could not distinguish: `cpu-stress@1` is also the fault `cpu-stress` fifteen times. */
export function sequencesTwice(loaded: {
  readonly faults: readonly Placed<Fault>[];
  readonly suites: readonly Placed<Suite>[];
}): Wrong[] {
  return loaded.suites.flatMap((suite) => {
    const fault = loaded.faults.find(({ entry }) => suite.entry.name.replace(/@.*/, "") === entry.name);
    if (!fault) return [];
    const expected = `a name that no suite has: ${suite.file} has "${suite.entry.name}", and a request names both alike`;
    return [{ place: fault.file, field: "name", expected }];
  });
}
