import type { Problem } from "@microremed/catalogue";
import { oneOf, terminal } from "@microremed/core";
import type { Problems } from "../catalogue.types.ts";

/** Most names that an error about an unknown problem lists. */
const mostShown = 5;

/** Finds problems by name. `suites`: names of those that have problems, with what they have. */
export function createProblems(suites: ReadonlyMap<string, readonly Problem[]>): Problems {
  const byId = new Map([...suites.values()].flat().map((problem) => [problem.id, problem]));
  const unknown = (message: string): Error => terminal("unknown-problem", message);
  return {
    suites: [...suites.keys()].toSorted(),
    all: () => [...byId.values()],
    of: (name) => {
      const found = suites.get(name);
      if (found) return found;
      throw unknown(
        `no suite of problems is called ${JSON.stringify(name)}; known: ${oneOf([...suites.keys()].toSorted())}`,
      );
    },
    get: (id) => {
      const found = byId.get(id);
      if (found) return found;
      const [suite = ""] = id.split("/");
      const near = suites.get(suite)?.map((one) => one.id) ?? [...suites.keys()].map((one) => `${one}/...`);
      const shown = near.slice(0, mostShown).join(", ");
      const more = near.length > mostShown ? ` and ${near.length - mostShown} more` : "";
      throw unknown(`there is no problem ${JSON.stringify(id.slice(0, 200))}; known: ${shown}${more}`);
    },
  };
}
