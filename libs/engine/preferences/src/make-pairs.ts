import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type ChatMessage, type EpisodeDocument, environmentOf } from "@microremed/contracts";
import { createRng, shuffle } from "@microremed/core";
import type { ToolSpec } from "@microremed/llm";
import { offeredTools, openAiMessages, openAiTools } from "@microremed/trajectory/formats";
import { loadAll } from "js-yaml";
import { type LeftOut, type Repair, repairOf } from "./candidate.ts";
import type { Candidate, Pair } from "./pair.ts";

/** How pairs are made. */
export interface PairOptions {
  /** Draws which pairs of a case are taken, their order, and the sides. */
  readonly seed: number;
  /** Pairs of one case at most. */
  readonly mostPerCase: number;
  readonly tools: ReadonlyMap<string, ToolSpec>;
}

/** Pairs, and how many episodes are in none, by the reason. */
export interface Paired {
  readonly pairs: readonly Pair[];
  readonly leftOut: Readonly<Partial<Record<LeftOut, number>>>;
}

/**
 * Pairs of playbooks for the same case of which at least one repaired it. Playbooks that do the same, whatever their tasks are
 * called, make no pair. The same episodes and seed give the same pairs, in whatever order the episodes come.
 */
export function makePairs(episodes: readonly EpisodeDocument[], options: PairOptions): Paired {
  const leftOut: Partial<Record<LeftOut, number>> = {};
  const leave = (why: LeftOut, times = 1): void => {
    leftOut[why] = (leftOut[why] ?? 0) + times;
  };
  const repairs = episodes
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .flatMap((episode): Repair[] => {
      const repair = repairOf(episode);
      if (typeof repair !== "string") return [repair];
      leave(repair);
      return [];
    });
  const rng = createRng(options.seed, "pairs");
  const pairs = [...Map.groupBy(repairs, ({ key }) => key)].flatMap(([key, of]) => {
    const possible = twosOf(of).filter(isWorthComparing);
    const used = new Set(possible.flat());
    const alone = of.filter((one) => !used.has(one)).length;
    if (alone > 0) leave("its case has no other playbook", alone);
    const own = rng.fork(key);
    const made = shuffle(possible, own).flatMap((two) => pairOf(own.pick([two, swapped(two)]), options));
    if (made.length === 0 && used.size > 0) leave("the models were given different words", used.size);
    return made.slice(0, options.mostPerCase);
  });
  return { pairs: shuffle(pairs, rng), leftOut };
}

type Two = readonly [Repair, Repair];

const swapped = ([one, other]: Two): Two => [other, one];

const twosOf = (of: readonly Repair[]): Two[] =>
  of.flatMap((one, at) => of.slice(at + 1).map((other): Two => [one, other]));

function isWorthComparing([one, other]: Two): boolean {
  const repaired = [one, other].some(({ candidate }) => candidate.effect.recovered);
  return repaired && !isDeepStrictEqual(doneBy(one), doneBy(other));
}

/** A playbook without the names of its plays and tasks; what is no YAML is compared as text. */
function doneBy({ candidate: { playbook } }: Repair): unknown {
  try {
    return withoutNames(loadAll(playbook));
  } catch {
    return playbook;
  }
}

function withoutNames(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((one) => {
    if (typeof one !== "object" || one === null || Array.isArray(one)) return withoutNames(one);
    return Object.fromEntries(
      Object.entries(one).flatMap(([key, inner]) => (key === "name" ? [] : [[key, withoutNames(inner)]])),
    );
  });
}

/** None where the conversations do not begin with the same question. */
function pairOf([left, right]: Two, { tools }: PairOptions): Pair[] {
  const common = commonStart(left.conversation, right.conversation);
  const prompt = left.conversation.slice(0, common);
  if (!prompt.some(({ role }) => role === "user")) return [];
  const { document } = left;
  const { caseId, failure, target } = document;
  const sides = { left: sideOf(left, common), right: sideOf(right, common) };
  const id = createHash("sha256")
    .update([sides.left.episode, sides.right.episode].toSorted().join(" "))
    .digest("hex");
  return [
    {
      id: id.slice(0, 12),
      case: { id: caseId, environment: environmentOf(document, document.request), failure, target },
      prompt: openAiMessages(prompt),
      tools: openAiTools(offeredTools(left.document.conversation, tools)),
      ...sides,
    },
  ];
}

/** How many messages two conversations begin with that say the same. An answer is what is compared, never what is given. */
function commonStart(one: readonly ChatMessage[], other: readonly ChatMessage[]): number {
  const said = ({ role, content }: ChatMessage) => `${role} ${content}`;
  const differs = one.findIndex((message, at) => {
    const there = other[at];
    return message.role === "assistant" || !there || said(message) !== said(there);
  });
  return differs < 0 ? one.length : differs;
}

function sideOf({ candidate, conversation }: Repair, from: number): Candidate {
  const rest = conversation.slice(from);
  const handed = rest.findLastIndex(({ role }) => role === "assistant");
  return { ...candidate, completion: openAiMessages(rest.slice(0, handed + 1)) };
}
