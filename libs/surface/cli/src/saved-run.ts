import { readdir } from "node:fs/promises";
import { join } from "node:path";
import {
  type EarlierTrial,
  type EpisodeDocument,
  type EpisodeRecord,
  ExperimentRequest,
  experimentIdOf,
  noModel,
  type PlannedEpisode,
  RangeKind,
  StoredEpisodeDocument,
} from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { readEnvironment } from "@microremed/environments";
import { planRequest } from "@microremed/planner";
import type { Catalogue } from "@microremed/registry";
import { load } from "js-yaml";
import { begunTrials, readBegun } from "./begun-episodes.ts";
import { isOfPlan } from "./check-saved.ts";
import { fileWords } from "./file-trouble.ts";
import { readJsonFile, readTextFile } from "./read-request.ts";
import { episodeFile, requestFile } from "./save-episodes.ts";

/** Bounds what a directory can make us read. */
const maxFiles = 100_000;

/** What a directory of `--save-path` holds of an experiment. */
export interface SavedRun {
  readonly id: string;
  readonly request: ExperimentRequest;
  readonly harnessVersion: string;
  /** The kind of range that the saved episodes ran on; undefined: none is saved. */
  readonly range: RangeKind | undefined;
  /** All that is saved, by file. */
  readonly documents: readonly EpisodeDocument[];
  /** Episodes that ended with a result; what the harness or a cancellation ended is tried again. */
  readonly done: readonly EpisodeRecord[];
  /** Those that the plan has besides, by model. */
  readonly missing: ReadonlyMap<string, readonly PlannedEpisode[]>;
  /** What agents had been given of these, by index; of the others nothing. */
  readonly begun: ReadonlyMap<number, readonly EarlierTrial[]>;
}

/**
 * Reads what is saved in a directory and works out what is missing. Throws `invalid-request` when it holds no
 * experiment, several, or one that this catalogue would plan otherwise.
 */
export async function readSavedRun(
  directory: string,
  catalogue: Catalogue,
  manifestPath: string | undefined,
): Promise<SavedRun> {
  const documents = await readDocuments(directory);
  const request = await savedRequest(directory, documents[0]);
  const { id } = request;
  if (request.episodes !== undefined || id === undefined)
    throw terminal(
      "invalid-request",
      `${directory} holds only a part of an experiment, so it cannot be resumed; start a new run with another --save-path`,
    );
  const stranger = documents.find((document) => experimentIdOf(document.id) !== id);
  if (stranger)
    throw terminal(
      "invalid-request",
      `${directory} holds episodes of ${id} and of ${experimentIdOf(stranger.id)}; expected one experiment`,
    );
  const environment = manifestPath === undefined ? undefined : readEnvironment(manifestPath);
  const plan = planRequest(request, { catalogue, environment });
  const planned = plan.episodes(0, plan.total);
  for (const document of documents) assertPlanned(directory, document, planned[document.index]);
  const done = documents.filter(({ outcome }) => hasResult(outcome));
  const known = new Set(done.map(({ index }) => index));
  const missing = planned.filter(({ index }) => !known.has(index));
  return {
    id,
    documents,
    request,
    harnessVersion: String(documents[0]?.metadata["harnessVersion"] ?? "unknown"),
    range: documents[0] && RangeKind.catch("processes").parse(documents[0].metadata["range"]),
    done: done.map(recordOf),
    // What calls no model was asked for with the only one.
    missing: Map.groupBy(missing, ({ model }) => (model === noModel ? (request.model[0] ?? model) : model)),
    begun: begunOf(documents, await readBegun(directory)),
  };
}

/** The id of the experiment that is saved in a directory; undefined: nothing says so. */
export async function savedId(directory: string): Promise<string | undefined> {
  const [name] = (await readdir(directory)).filter((file) => episodeFile.test(file)).sort();
  const first = name === undefined ? undefined : await readDocument(join(directory, name));
  return first ? experimentIdOf(first.id) : (await savedRequest(directory, undefined)).id;
}

function hasResult(outcome: EpisodeRecord["outcome"]): boolean {
  return outcome !== null && outcome !== "harness-error" && outcome !== "cancelled";
}

async function readDocuments(directory: string): Promise<EpisodeDocument[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    throw terminal(
      "invalid-request",
      `cannot read ${directory}: ${fileWords(error)}; --resume takes a directory that was written with --save-path`,
    );
  });
  const files = names.filter((name) => episodeFile.test(name)).sort();
  if (files.length > maxFiles)
    throw terminal(
      "invalid-request",
      `${directory} holds ${files.length} episodes; expected at most ${maxFiles}`,
    );
  const documents: EpisodeDocument[] = [];
  for (const name of files) documents.push(await readDocument(join(directory, name)));
  return documents;
}

const readDocument = (path: string): Promise<EpisodeDocument> =>
  readJsonFile(path, "episode", "--save-path", (value) => StoredEpisodeDocument.parse(value));

/** As it was written beside the episodes, or, by older versions, in each of them. */
async function savedRequest(
  directory: string,
  first: EpisodeDocument | undefined,
): Promise<ExperimentRequest> {
  if (first) return { ...first.request, id: experimentIdOf(first.id) };
  const path = join(directory, requestFile);
  const parsed = ExperimentRequest.safeParse(load(await readTextFile(path, "the request")));
  if (parsed.success) return parsed.data;
  throw terminal("invalid-request", `${path} is not a request that was written with --save-path`);
}

/** Of an episode that was run again and has not ended, more is written there than in its document. */
function begunOf(
  documents: readonly EpisodeDocument[],
  written: ReadonlyMap<number, readonly EarlierTrial[]>,
): Map<number, readonly EarlierTrial[]> {
  const begun = new Map(written);
  for (const document of documents) {
    const trials = begunTrials(document);
    if (trials.length > 0 && trials.length >= (begun.get(document.index)?.length ?? 0))
      begun.set(document.index, trials);
  }
  return begun;
}

function assertPlanned(directory: string, found: EpisodeDocument, planned: PlannedEpisode | undefined): void {
  if (isOfPlan(found, planned)) return;
  throw terminal(
    "invalid-request",
    `${directory}: episode ${found.index} is ${found.failure} with ${found.model} and ${found.method}, which is not in the plan of this version and catalogue, so the experiment cannot be resumed here`,
  );
}

const recordOf = ({ metadata: _, request: __, conversation: ___, ...record }: EpisodeDocument) => record;
