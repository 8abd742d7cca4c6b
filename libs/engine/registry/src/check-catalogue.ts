import type { Agent, Fault, Oracle, Suite, Task, Tool } from "@microremed/catalogue";
import { checkSolving } from "./check-solving.ts";
import type { Placed, Problem } from "./find-entries.ts";

/** What one entry alone cannot show: names that several entries have, and names that stand for nothing. */
export function checkCatalogue(loaded: {
  readonly faults: readonly Placed<Fault>[];
  readonly oracles: readonly Placed<Oracle>[];
  readonly suites: readonly Placed<Suite>[];
  readonly tools: readonly Placed<Tool>[];
  readonly tasks: readonly Placed<Task>[];
  readonly agents: readonly Placed<Agent>[];
}): Problem[] {
  const oracles = new Map(loaded.oracles.map(({ entry }) => [entry.name, entry]));
  const faults = new Set(loaded.faults.map(({ entry }) => entry.name));
  return [
    ...Object.values(loaded).flatMap((placed: readonly Placed<{ readonly name: string }>[]) => twice(placed)),
    ...checkSolving(loaded),
    ...loaded.faults.flatMap((placed) => checkFault(placed, oracles)),
    ...loaded.suites.flatMap(({ entry, file }) =>
      (["cases", "draw"] as const).flatMap((field) =>
        [...new Set(entry[field])]
          .filter((name) => !faults.has(name))
          .map((name) => ({
            place: file,
            field,
            expected: `names of faults that are loaded, not "${name}"`,
          })),
      ),
    ),
  ];
}

function checkFault({ entry, file }: Placed<Fault>, oracles: ReadonlyMap<string, Oracle>): Problem[] {
  const known = [...oracles.keys()].join(", ");
  const problem = (field: string, expected: string): Problem => ({ place: file, field, expected });
  const unknown = [["symptom", entry.symptom], ...entry.recovery.map((name, i) => [`recovery.${i}`, name])]
    .filter(([, name = ""]) => !oracles.has(name))
    .map(([field = "", name]) => problem(field, `the name of an oracle (${known}), not "${name}"`));
  const parameters = entry.parameters.safeParse({});
  return [
    ...unknown,
    ...(entry.recovery.includes(entry.symptom)
      ? []
      : [problem("recovery", `its symptom "${entry.symptom}" among them: what shows it must be gone`)]),
    ...(["ready", "serving"] as const)
      .filter((name) => oracles.has(name) && !entry.recovery.includes(name))
      .map((name) => problem("recovery", `"${name}" among them: every recovery is checked with it`)),
    ...(parameters.success
      ? []
      : parameters.error.issues.map(({ path }) =>
          problem(`parameters.${path.join(".")}`, "a default: an incident may leave every parameter out"),
        )),
  ];
}

function twice(placed: readonly Placed<{ readonly name: string }>[]): Problem[] {
  const first = new Map<string, string>();
  return placed.flatMap(({ entry, file }) => {
    const other = first.get(entry.name);
    first.set(entry.name, other ?? file);
    return other === undefined
      ? []
      : [{ place: file, field: "name", expected: `a unique name: ${other} has "${entry.name}" too` }];
  });
}
