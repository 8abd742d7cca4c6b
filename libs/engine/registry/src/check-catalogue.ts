import {
  type Agent,
  type Fault,
  type Noise,
  type Oracle,
  type Suite,
  sharedShortcuts,
  type Task,
  type Tool,
} from "@microremed/catalogue";
import { sequencesTwice, twice } from "./check-names.ts";
import { checkSolving, type IsBroken } from "./check-solving.ts";
import type { FoundEntry, Placed } from "./find-entries.ts";
import { plain } from "./read-entry.ts";
import type { Wrong } from "./wrong.types.ts";

/**
 * What one entry alone cannot show: names that several entries have, and unknown names. `broken`:
 * entries that could not be read, whose names are not missing for others.
 */
export function checkCatalogue(
  loaded: {
    readonly faults: readonly Placed<Fault>[];
    readonly noises: readonly Placed<Noise>[];
    readonly oracles: readonly Placed<Oracle>[];
    readonly suites: readonly Placed<Suite>[];
    readonly tools: readonly Placed<Tool>[];
    readonly tasks: readonly Placed<Task>[];
    readonly agents: readonly Placed<Agent>[];
  },
  broken: readonly FoundEntry[],
): Wrong[] {
  const isBroken: IsBroken = (kind, name) =>
    broken.some((found) => found.kind === kind && plain(found.folder) === plain(name));
  const oracles = new Map(loaded.oracles.map(({ entry }) => [entry.name, entry]));
  const faults = new Set(loaded.faults.map(({ entry }) => entry.name));
  return [
    ...Object.values(loaded).flatMap((placed: readonly Placed<{ readonly name: string }>[]) => twice(placed)),
    ...sequencesTwice(loaded),
    ...checkSolving(loaded, isBroken),
    ...loaded.faults.flatMap((placed) => checkFault(placed, oracles, isBroken)),
    ...loaded.suites.flatMap(({ entry, file }) =>
      (["cases", "draw"] as const).flatMap((field) =>
        [...new Set(entry[field])]
          .filter((name) => !faults.has(name) && !isBroken("faults", name))
          .map((name) => ({
            place: file,
            field,
            expected: `names of faults that are loaded, not "${name}"`,
          })),
      ),
    ),
  ];
}

function checkFault(
  { entry, file }: Placed<Fault>,
  oracles: ReadonlyMap<string, Oracle>,
  isBroken: IsBroken,
): Wrong[] {
  const known = (field: string): string =>
    [...oracles.values()].flatMap((one) => (one.symptom || field !== "symptom" ? [one.name] : [])).join(", ");
  const problem = (field: string, expected: string): Wrong => ({ place: file, field, expected });
  const unknown = [["symptom", entry.symptom], ...entry.recovery.map((name, i) => [`recovery.${i}`, name])]
    .filter(([, name = ""]) => !oracles.has(name) && !isBroken("oracles", name))
    .map(([field = "", name]) =>
      problem(
        field,
        `the name of an oracle${field === "symptom" ? " that has a symptom()" : ""} (${known(field)}), not "${name}"`,
      ),
    );
  return [
    ...unknown,
    ...withoutSymptom(entry, oracles).map((expected) => problem("symptom", expected)),
    ...unknownShortcuts(entry).map(([i, expected]) => problem(`notShortcuts.${i}`, expected)),
    ...(entry.recovery.includes(entry.symptom)
      ? []
      : [problem("recovery", `its symptom "${entry.symptom}" among them: what shows it must be gone`)]),
    ...(["ready", "serving"] as const)
      .filter((name) => oracles.has(name) && !entry.recovery.includes(name))
      .map((name) => problem("recovery", `"${name}" among them: every recovery is checked with it`)),
  ];
}

function withoutSymptom({ symptom, control }: Fault, oracles: ReadonlyMap<string, Oracle>): string[] {
  const oracle = oracles.get(symptom);
  if (control || !oracle || oracle.symptom) return [];
  const able = [...oracles.values()].flatMap((one) => (one.symptom ? [one.name] : []));
  return [`an oracle that has a symptom() (${able.join(", ")}), not "${symptom}"`];
}

function unknownShortcuts({ notShortcuts = [] }: Fault): [index: number, expected: string][] {
  const shared = sharedShortcuts.map(({ name }) => name);
  return notShortcuts.flatMap((name, i): [number, string][] =>
    shared.includes(name) ? [] : [[i, `the name of a shared shortcut (${shared.join(", ")}), not "${name}"`]],
  );
}
