import { markdownTable } from "@microremed/scoring";
import type { Paired, PairOptions } from "./make-pairs.ts";

/** What a folder of pairs holds: a page in Markdown that is written beside them. */
export function pairsCard(
  { pairs, leftOut }: Paired,
  episodes: number,
  { seed, mostPerCase }: Pick<PairOptions, "seed" | "mostPerCase">,
): string {
  const count = (of: (pair: Paired["pairs"][number]) => readonly string[]): string =>
    [...Map.groupBy(pairs.flatMap(of), (one) => one)]
      .toSorted(([a, as], [b, bs]) => bs.length - as.length || (a < b ? -1 : 1))
      .map(([name, { length }]) => `${name} (${length})`)
      .join(", ");
  const left = Object.entries(leftOut).map(([why, times]) => `${times} ${why}`);
  return `# Pairs of repairs

${pairs.length} pairs of playbooks for the same case, from ${episodes} episodes. In each at least one playbook repaired the system.

${markdownTable([
  ["", ""],
  ["environments", count((pair) => [pair.case.environment])],
  ["failures", count((pair) => [pair.case.failure])],
  ["models", count(({ left: one, right }) => [one.model, right.model])],
  [
    "both repaired",
    String(pairs.filter((pair) => pair.left.effect.recovered && pair.right.effect.recovered).length),
  ],
  ["left out", left.join(", ") || "no episode"],
  ["drawn with", `seed ${seed}, at most ${mostPerCase} of a case`],
])}

- \`pairs.jsonl\`: a pair a line: the case, what both models were given, both playbooks, and what each did to the system.
- \`ratings.jsonl\`: a rating a line: pair, rater, choice, reason, time. It holds names of people; a later rating of the same
  person and pair replaces an earlier one.

Playbooks are untrusted code. Read one before you run it anywhere else.
`;
}
