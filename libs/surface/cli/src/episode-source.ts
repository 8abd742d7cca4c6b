import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  type EpisodeDocument,
  EpisodeId,
  experimentIdOf,
  StoredEpisodeDocument,
} from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { episodeDocument } from "@microremed/trajectory/document";
import { openClient } from "./connection.ts";
import type { Context } from "./context.ts";
import { fileWords } from "./file-trouble.ts";
import { readJsonFile } from "./read-request.ts";
import { submissionFile } from "./save-episodes.ts";

/** Bounds what a directory can make us read. */
const maxFiles = 100_000;

/**
 * The episodes of a saved file, of a directory of them (`--save-path`), of an experiment of the running range, or the
 * one of an episode's id. Throws `invalid-request` when a file is no saved episode, `unknown-experiment` when the range
 * knows no such id.
 */
export async function readEpisodes(context: Context, source: string): Promise<EpisodeDocument[]> {
  if (!(await isSaved(source))) return await fromRange(context, source);
  const found = await stat(source).catch((error: unknown) => {
    throw terminal(
      "invalid-request",
      `cannot read ${source}: ${fileWords(error)}; expected a saved episode, or a folder that was written with --save-path`,
    );
  });
  if (!found.isDirectory()) return [await fromFile(source)];
  const names = (await readdir(source))
    .filter((name) => name.endsWith(".json") && name !== submissionFile)
    .sort();
  if (names.length === 0 || names.length > maxFiles) {
    throw terminal(
      "invalid-request",
      `${source} holds ${names.length} saved episodes; expected 1 to ${maxFiles}`,
    );
  }
  const episodes: EpisodeDocument[] = [];
  for (const name of names) episodes.push(await fromFile(join(source, name)));
  return episodes;
}

/** Whether a source is meant as a file or a directory, there or not, rather than as an id. */
export async function isSaved(source: string): Promise<boolean> {
  const found = await stat(source).catch(() => undefined);
  return found !== undefined || looksLikePath(source);
}

/** Exactly one. */
export async function readEpisode(context: Context, source: string): Promise<EpisodeDocument> {
  const [episode, ...more] = await readEpisodes(context, source);
  if (episode && more.length === 0) return episode;
  const message = `${source} has ${more.length + 1} episodes; name one: a saved file, or <experiment>.<four-digit index>`;
  throw terminal("invalid-request", message);
}

/** No id looks like that. */
function looksLikePath(source: string): boolean {
  return source.includes("/") || source.endsWith(".json");
}

function fromFile(path: string): Promise<EpisodeDocument> {
  return readJsonFile(path, "episode", "--save-path", (value) => StoredEpisodeDocument.parse(value));
}

async function fromRange(context: Context, id: string): Promise<EpisodeDocument[]> {
  await using client = await openClient(context, "client", id);
  const wanted = EpisodeId.safeParse(id).success ? id : undefined;
  const { experiment, episodes } = await client.experiment(wanted ? experimentIdOf(wanted) : id);
  const records = episodes.filter((record) => wanted === undefined || record.id === wanted);
  if (records.length === 0)
    throw terminal("unknown-experiment", `experiment ${experiment.id} has no episode ${id}`);
  const documents: EpisodeDocument[] = [];
  for (const record of records) {
    documents.push(episodeDocument(experiment, record, await client.conversation(record.id)));
  }
  return documents;
}
