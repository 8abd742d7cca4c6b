import { createScoredSet, type ScoredSet } from "./scored-set.ts";

/** Experiments of one owner that wait. */
interface Line {
  /** By what they have been given: the least is next. */
  readonly waiting: ScoredSet;
  /** What the experiment served last had been given before: where those begin that come new. */
  readonly ticket: number;
}

/** Experiments with episodes that wait: those of each owner in a line of their own. */
export interface Lines {
  /** Adds an experiment unless it is there: level with the one of its owner that was served last. */
  join(owner: string, id: string): void;
  leave(owner: string, id: string): void;
  /** It was given something: it goes back by `step`, and its owner behind all others. */
  served(owner: string, id: string, step: number): void;
  /** Puts an owner who waits behind all others. */
  toBack(owner: string): void;
  /** The one served least recently is first. */
  owners(): readonly string[];
  /** The next one first. */
  of(owner: string): readonly string[];
}

export function createLines(): Lines {
  const lines = new Map<string, Line>();
  const owners = createScoredSet();
  const toBack = (owner: string): void => owners.set(owner, (owners.all().at(-1)?.score ?? 0) + 1);
  return {
    join: (owner, id) => {
      const { waiting, ticket } = lines.get(owner) ?? { waiting: createScoredSet(), ticket: 0 };
      lines.set(owner, { waiting, ticket });
      waiting.add(id, ticket);
      if (owners.scoreOf(owner) === undefined) toBack(owner);
    },
    leave: (owner, id) => {
      const line = lines.get(owner);
      line?.waiting.delete(id);
      if (line && line.waiting.size > 0) return;
      lines.delete(owner);
      owners.delete(owner);
    },
    served: (owner, id, step) => {
      const line = lines.get(owner);
      if (!line) return;
      const given = line.waiting.scoreOf(id) ?? 0;
      line.waiting.set(id, given + step);
      lines.set(owner, { ...line, ticket: given });
      toBack(owner);
    },
    toBack: (owner) => {
      if (owners.scoreOf(owner) !== undefined) toBack(owner);
    },
    owners: () => owners.all().map(({ member }) => member),
    of: (owner) =>
      lines
        .get(owner)
        ?.waiting.all()
        .map(({ member }) => member) ?? [],
  };
}
