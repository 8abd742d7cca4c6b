import type { Agent, Task, Tool } from "@microremed/catalogue";
import type { Placed } from "./find-entries.ts";
import type { LoadedKind } from "./kinds.ts";
import type { Wrong } from "./wrong.types.ts";

/** Whether an entry of this name is there and could not be read. */
export type IsBroken = (kind: LoadedKind, name: string) => boolean;

/** The tools that submit something: the engine must handle it, so there are no others. */
const handIn = { act: "run_playbook", submit: "submit" } as const;

/** References of agents to missing tools and tasks, and names of tools that models could confuse. */
export function checkSolving(
  loaded: {
    readonly tools: readonly Placed<Tool>[];
    readonly tasks: readonly Placed<Task>[];
    readonly agents: readonly Placed<Agent>[];
  },
  isBroken: IsBroken,
): Wrong[] {
  const observing = loaded.tools.flatMap(({ entry }) => (entry.kind === "observe" ? [entry.name] : []));
  const tasks = loaded.tasks.map(({ entry }) => entry.name);
  const sound = (kind: LoadedKind, names: readonly string[]): string[] =>
    names.filter((name) => !isBroken(kind, name));
  return [
    ...loaded.agents.flatMap(({ entry, file }) => [
      ...unknown(file, "tools", sound("tools", entry.tools), observing, "tools that observe"),
      ...unknown(file, "tasks", entry.tasks === "all" ? [] : sound("tasks", entry.tasks), tasks, "tasks"),
    ]),
    ...loaded.tools.flatMap(({ entry, file }) => {
      const only = entry.kind === "observe" ? entry.name : handIn[entry.kind];
      if (entry.name === only) return [];
      return [
        { place: file, field: "kind", expected: `"observe": the only tool of "${entry.kind}" is ${only}` },
      ];
    }),
    ...loaded.tasks.flatMap(({ entry, file }) => {
      const simple = loaded.tasks.flatMap((one) => (one.entry.parts === undefined ? [one.entry.name] : []));
      return unknown(file, "parts", sound("tasks", entry.parts ?? []), simple, "tasks that have no parts");
    }),
    ...published(loaded.tools),
  ];
}

function unknown(
  place: string,
  field: string,
  given: readonly string[],
  known: readonly string[],
  what: string,
): Wrong[] {
  return given
    .filter((name) => !known.includes(name))
    .map((name) => ({ place, field, expected: `names of ${what} (${known.join(", ")}), not "${name}"` }));
}

function published(tools: readonly Placed<Tool>[]): Wrong[] {
  const first = new Map<string, string>();
  return tools.flatMap(({ entry, file }) => {
    const name = entry.publishedAs ?? entry.name;
    const other = first.get(name.toLowerCase());
    first.set(name.toLowerCase(), other ?? file);
    if (other === undefined || entry.publishedAs === undefined) return [];
    return [{ place: file, field: "publishedAs", expected: `a unique name: ${other} has "${name}" too` }];
  });
}
