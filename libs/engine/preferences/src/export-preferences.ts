import { automaticOrder } from "./automatic-order.ts";
import type { Candidate, Choice, Pair, Rating } from "./pair.ts";
import { lastRatings, majority } from "./ratings.ts";

/** Whose preference counts: what most raters of a pair say, or the measurements. */
export const deciders = ["people", "automatic"] as const;
/** One of `deciders`. */
export type Decider = (typeof deciders)[number];

/** A file that trainers read, as TRL's DPO and KTO trainers have it: rows of JSON. */
export interface PreferenceFormat {
  readonly name: string;
  readonly description: string;
  readonly rows: (decided: readonly Decided[]) => readonly object[];
}

/** A pair of which one side is preferred. */
export interface Decided {
  readonly pair: Pair;
  readonly chosen: Candidate;
  readonly rejected: Candidate;
  /** Raters that said so, or what the automatic order decided by. */
  readonly by: string;
}

/** The pairs with a preferred side. Ties, and pairs that no one has rated, are left out. */
export function decide(pairs: readonly Pair[], ratings: readonly Rating[], by: Decider): Decided[] {
  const said = Map.groupBy(lastRatings(ratings), ({ pair }) => pair);
  return pairs.flatMap((pair): Decided[] => {
    const own = said.get(pair.id) ?? [];
    const order = by === "automatic" ? automaticOrder(pair) : { choice: majority(own), by: ratersOf(own) };
    return order.choice === "tie" ? [] : [decided(pair, order.choice, order.by)];
  });
}

const ratersOf = (ratings: readonly Rating[]): string => ratings.map(({ rater }) => rater).join(", ");

const decided = (pair: Pair, choice: Exclude<Choice, "tie">, by: string): Decided => ({
  ...{ pair, by, chosen: pair[choice] },
  rejected: pair[choice === "left" ? "right" : "left"],
});

const dpo: PreferenceFormat = {
  name: "dpo",
  description: "one line per pair: prompt, chosen, rejected and tools, as messages",
  rows: (of) =>
    of.map(({ pair, chosen, rejected, by }) => ({
      prompt: pair.prompt,
      chosen: chosen.completion,
      rejected: rejected.completion,
      ...toolsOf(pair),
      metadata: { pair: pair.id, ...pair.case, by, chosen: whoOf(chosen), rejected: whoOf(rejected) },
    })),
};

const kto: PreferenceFormat = {
  name: "kto",
  description: "one line per playbook: prompt, completion, and whether it was preferred in most of its pairs",
  rows: (of) => {
    const judged = of.flatMap(({ pair, chosen, rejected }) => [
      { pair, candidate: chosen, vote: 1 },
      { pair, candidate: rejected, vote: -1 },
    ]);
    return [...Map.groupBy(judged, ({ candidate }) => candidate.episode).values()].flatMap((votes) => {
      const sum = votes.reduce((total, { vote }) => total + vote, 0);
      const [first] = votes;
      if (!first || sum === 0) return [];
      const { pair, candidate } = first;
      return {
        ...{ prompt: pair.prompt, completion: candidate.completion, label: sum > 0, ...toolsOf(pair) },
        metadata: { ...pair.case, pairs: votes.length, of: whoOf(candidate) },
      };
    });
  },
};

/** The formats of `microremed preferences export`. */
export const preferenceFormats: readonly PreferenceFormat[] = [dpo, kto];

const toolsOf = ({ tools }: Pair) => (tools.length > 0 ? { tools } : {});

const whoOf = ({ episode, model, method }: Candidate) => ({ episode, model, method });
