import type { Problem } from "@microremed/catalogue";
import { likelyNames, nearest, oneOf, terminal } from "@microremed/core";
import type { Problems } from "../catalogue.types.ts";
import { type DrawnParts, drawnProblem } from "./drawn-problem.ts";

/** Seeds of a suite whose problems are kept. */
const mostSeeds = 8;

/** Most names that an error about an unknown problem lists. */
const mostShown = 5;

/** The problems of one suite. */
export interface SuiteProblems {
  /** As the suite has them, in its order; made when it is first asked for. */
  all(): readonly Problem[];
  /** As experiments of a seed have them, without the values of their faults; absent: as the suite has them. */
  at?(seed: number): readonly Problem[];
}

/** Finds problems by name. `suites`: by name those that have problems. `ofFaults`: names of those that are lists of faults. */
export function createProblems(
  suites: ReadonlyMap<string, SuiteProblems>,
  ofFaults: readonly string[],
  parts: () => DrawnParts,
): Problems {
  const kept = new Map<string, ReadonlyMap<string, Problem>>();
  const drawnAt = (suite: string, seed: number): ReadonlyMap<string, Problem> => {
    const key = `${suite} ${seed}`;
    const drawn = () => suites.get(suite)?.at?.(seed) ?? [];
    const known = kept.get(key) ?? new Map(drawn().map((one) => [one.id, one]));
    kept.delete(key);
    kept.set(key, known);
    for (const oldest of [...kept.keys()].slice(0, -mostSeeds)) kept.delete(oldest);
    return known;
  };
  const all = (): Problem[] => [...suites.values()].flatMap((suite) => suite.all());
  const find = (id: string): Problem | undefined =>
    suites
      .get(id.split("/", 1)[0] ?? "")
      ?.all()
      .find((one) => one.id === id);
  const unknown = (message: string): Error => terminal("unknown-problem", message);
  return {
    suites: [...suites.keys()].toSorted(),
    all,
    of: (name) => {
      const found = suites.get(name);
      if (found) return found.all();
      if (ofFaults.includes(name))
        throw unknown(
          `${name} has no problems: it is a list of faults, which \`run --experiment-path ${name}\` runs`,
        );
      const known = [...suites.keys()].toSorted();
      throw unknown(
        `no suite of problems is called ${JSON.stringify(name.slice(0, 200))}; ${likelyNames(name, known)}`,
      );
    },
    has: (id) => find(id) !== undefined,
    at: (problem, seed) =>
      drawnProblem(drawnAt(problem.suite, seed).get(problem.id) ?? problem, seed, parts()),
    get: (id) => {
      const found = find(id);
      if (found) return found;
      const [suite = ""] = id.split("/");
      const there = suites.get(suite)?.all();
      const named = `there is no problem ${JSON.stringify(id.slice(0, 200))}`;
      const ids = (problems: readonly Problem[]): string[] => problems.map((one) => one.id);
      const guess = there
        ? likely(id.slice(suite.length + 1), there.map(nameIn), `${suite}/`)
        : likely(id, ids(all()));
      if (guess !== "") throw unknown(`${named}; ${guess}\`microremed problems list\` lists them`);
      const near = there ? ids(there) : [...suites.keys()].map((one) => `${one}/...`);
      const shown = near.slice(0, mostShown).join(", ");
      const more = near.length > mostShown ? ` and ${near.length - mostShown} more` : "";
      throw unknown(`${named}; known: ${shown}${more}`);
    },
  };
}

/** The name of a problem in its suite. */
const nameIn = ({ id }: Problem): string => id.slice(id.indexOf("/") + 1);

/** What may have been meant; empty: nothing is like it. */
function likely(wrong: string, names: readonly string[], before = ""): string {
  const near = nearest(wrong, names).map((name) => `${before}${name}`);
  return near.length === 0 ? "" : `did you mean ${oneOf(near)}? `;
}
