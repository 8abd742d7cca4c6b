import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { terminal } from "@microremed/core";
import { type Pair, type Rating, readPairs, readRatings } from "@microremed/preferences";
import { fileWords } from "../file-trouble.ts";
import { writeNew } from "../write-new.ts";

const names = { pairs: "pairs.jsonl", ratings: "ratings.jsonl", card: "README.md" } as const;

/** Larger files are no pairs of ours, bytes. */
const maxBytes = 2 ** 30;

/** Writes a new folder of pairs. Throws `invalid-request` where there is one. */
export async function writePairs(directory: string, pairs: readonly Pair[], card: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeNew(join(directory, names.pairs), pairs.map((pair) => `${JSON.stringify(pair)}\n`).join(""));
  await writeNew(join(directory, names.card), card);
}

/** The pairs of a folder and what was said of them. Throws `invalid-request` with the line that is no pair or rating. */
export async function readFolder(
  directory: string,
): Promise<{ readonly pairs: readonly Pair[]; readonly ratings: readonly Rating[] }> {
  const [pairs, ratings] = [join(directory, names.pairs), join(directory, names.ratings)];
  const text = await readFile(pairs, "utf8").catch((error: unknown) => {
    throw terminal(
      "invalid-request",
      `cannot read ${pairs}: ${fileWords(error)}; expected a folder of \`microremed preferences pair\``,
    );
  });
  const said = await readFile(ratings, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  if (text.length + said.length > maxBytes)
    throw terminal("invalid-request", `${directory} holds more than 1 GiB of pairs and ratings`);
  return { pairs: readPairs(text, pairs), ratings: readRatings(said, ratings) };
}

/** Adds a rating, on the disk before this returns. Several people may rate in one folder at once. */
export async function addRating(directory: string, rating: Rating): Promise<void> {
  await appendFile(join(directory, names.ratings), `${JSON.stringify(rating)}\n`, { flush: true });
}
