import { mkdir, readdir, rm } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import type { Conversation, EpisodeRecord, ExperimentRecord, ExperimentRequest } from "@microremed/contracts";
import { AppError, terminal } from "@microremed/core";
import { episodeDocument } from "@microremed/trajectory/document";
import { dump } from "js-yaml";
import { claimDirectory } from "./claim-directory.ts";
import { fileWords } from "./file-trouble.ts";
import { writeWhole } from "./write-whole.ts";

/** The request of the experiment whose episodes a directory holds. */
export const requestFile = "request.yaml";
/** What is signed of the episodes, beside them. */
export const submissionFile = "submission.json";
/** `<index>_<target>_<failure>.json`. */
export const episodeFile = /^(\d{4,})_.*\.json$/;

/**
 * Writes `<directory>/<index>_<service>_<failure>.json` for one episode and returns the path. The file is there as a
 * whole or not at all.
 */
export async function saveEpisode(
  directory: string,
  experiment: ExperimentRecord,
  record: EpisodeRecord,
  conversation: Conversation,
): Promise<string> {
  await mkdir(directory, { recursive: true });
  const name = `${String(record.index).padStart(4, "0")}_${record.target}_${record.failure}.json`;
  const path = join(directory, name.replaceAll(/[^\w.-]/g, "_"));
  await writeWhole(path, `${JSON.stringify(episodeDocument(experiment, record, conversation), null, 2)}\n`);
  return path;
}

interface Place {
  /** Folders of entries, which no episodes may be saved in. */
  readonly catalogue?: readonly string[];
  /** False: the command cannot go on with what is saved. */
  readonly resumable?: boolean;
}

/**
 * Makes a directory the place of an experiment's episodes and writes its request there. `id`: of the experiment, if it
 * is known already. Throws `invalid-request` when the directory holds episodes and they are not this experiment's, when
 * another command saves there now, when nothing can be written there, or when it is in one of the folders `catalogue`, which could not be loaded any more.
 */
export async function prepareDirectory(
  directory: string,
  id: string | undefined,
  { catalogue = [], resumable = true }: Place = {},
): Promise<void> {
  const holder = catalogue.find((dir) => `${resolve(directory)}${sep}`.startsWith(`${resolve(dir)}${sep}`));
  if (holder !== undefined)
    throw terminal(
      "invalid-request",
      `${directory} is in the catalogue ${holder}, whose folders hold entries; give a --save-path outside of it`,
    );
  try {
    await mkdir(directory, { recursive: true });
    await claimDirectory(directory);
    const names = await readdir(directory);
    const held = names.find((name) => name === requestFile || episodeFile.test(name));
    if (held === undefined) return;
    const { savedId } = await import("./saved-run.ts");
    const owner = await savedId(directory);
    if (owner !== undefined && owner === id) return;
    throw terminal(
      "invalid-request",
      `${directory} holds the episodes of ${owner ?? "another experiment"} (${held}), which would be mixed with the new ones; give another --save-path${resumable ? `, or go on with them: --resume ${directory}` : ""}`,
    );
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown;
    throw terminal(
      "invalid-request",
      `nothing can be saved in ${directory}: ${fileWords(thrown)}; give another --save-path`,
    );
  }
}

/** Removes the files of an episode, except the one just written: a case may have been drawn again on another target. */
export async function removeOthers(directory: string, written: string, index: number): Promise<void> {
  const own = (name: string): boolean => Number(episodeFile.exec(name)?.[1] ?? -1) === index;
  for (const name of (await readdir(directory)).filter(own)) {
    const path = join(directory, name);
    if (path !== written) await rm(path);
  }
}

/** Removes every episode that was saved in the directory. */
export async function removeEpisodes(directory: string): Promise<void> {
  for (const name of await readdir(directory)) if (episodeFile.test(name)) await rm(join(directory, name));
}

/** So that `run --resume` knows what was asked for, even if no episode has ended. */
export async function saveRequest(directory: string, request: ExperimentRequest): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeWhole(join(directory, requestFile), dump(request));
}
