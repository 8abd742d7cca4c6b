import { parseJson, terminal } from "@microremed/core";
import type { z } from "zod";
import { type Choice, choices, Pair, Rating } from "./pair.ts";

/** Reads lines of JSON that this package wrote. Throws `invalid-request` with file, line and what is wrong. */
function readLines<T>(text: string, file: string, schema: z.ZodType<T>): T[] {
  return text.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    const read = schema.safeParse(parseJson(line));
    if (read.success) return [read.data];
    const [issue] = read.error.issues;
    const why = issue ? [issue.path.join("."), issue.message].filter(Boolean).join(": ") : "unreadable";
    throw terminal("invalid-request", `${file}, line ${at + 1}: ${why}`);
  });
}

/** The pairs of `pairs.jsonl`. */
export const readPairs = (text: string, file: string): Pair[] => readLines(text, file, Pair);

/** The ratings of `ratings.jsonl` in the order in which they were given. */
export const readRatings = (text: string, file: string): Rating[] => readLines(text, file, Rating);

/** What each rater says of each pair: the last rating of both. */
export function lastRatings(ratings: readonly Rating[]): Rating[] {
  return [...new Map(ratings.map((one) => [`${one.rater} ${one.pair}`, one])).values()];
}

/** What most raters of a pair say; as many for one as for the other, or no rating: a tie. */
export function majority(ratings: readonly Pick<Rating, "choice">[]): Choice {
  const counts = choices.map((choice) => ({
    choice,
    votes: ratings.filter((one) => one.choice === choice).length,
  }));
  const most = Math.max(...counts.map(({ votes }) => votes));
  const [first, ...more] = counts.filter(({ votes }) => votes === most);
  return first && more.length === 0 ? first.choice : "tie";
}
