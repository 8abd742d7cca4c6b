import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  attemptsOf,
  type EpisodeDocument,
  type ExperimentRequestInput,
  experimentIdOf,
  taskOf,
} from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { type Divergence, divergencesOf } from "@microremed/trajectory";
import { episodeDocument } from "@microremed/trajectory/document";
import { type CatalogueOptions, catalogueOf } from "../catalogue.ts";
import type { RangeOptions } from "../choose-range.ts";
import type { Context } from "../context.ts";
import { followExperiments } from "../follow.ts";
import { startLocalRange } from "../local-range.ts";
import { submitOrThrow } from "../submit.ts";

/** How an episode is replayed. */
export interface ReplayOptions extends CatalogueOptions, RangeOptions {
  readonly timeScale: number;
  readonly manifestPath?: string;
}

/** What a replay came to. */
export interface Replay {
  readonly episode: string;
  /** Nothing differs but details: generated names, ages, numbers. */
  readonly same: boolean;
  readonly recorded: string | null;
  readonly replayed: string | null;
  readonly divergences: readonly Divergence[];
}

/** Runs a saved episode again with its model's recorded answers, on an embedded cluster, and compares the two. */
export async function replayEpisode(
  context: Context,
  recorded: EpisodeDocument,
  options: ReplayOptions,
): Promise<Replay> {
  const replayed = await runAgain(context, recorded, options);
  const divergences = divergencesOf(recorded, replayed);
  const same = divergences.every(({ kind }) => kind === "details");
  return { episode: recorded.id, same, recorded: recorded.outcome, replayed: replayed.outcome, divergences };
}

/** Only this case, with the settings of the request; its first repeat. */
function requestFor(document: EpisodeDocument, byHand: boolean): ExperimentRequestInput {
  const { request, caseId, model, method, problem } = document;
  const { id: _, clusters: __, namespace: ___, episodes: ____, ...settings } = request;
  const number = problem === undefined ? Number(caseId.split("/")[1]) : 0;
  if (!Number.isInteger(number)) throw terminal("invalid-request", `the case ${caseId} has no number`);
  const written = byHand ? attemptsOf(document)[0]?.playbook : undefined;
  return {
    ...settings,
    agentSeed: settings.agentSeed ?? document.experimentId,
    model: [model],
    method: [method],
    task: [taskOf(document)],
    repeats: 1,
    ...(problem === undefined ? { cases: [number] } : { problems: [problem.id], cases: undefined }),
    ...(written && { playbook: written }),
  };
}

async function runAgain(
  context: Context,
  recorded: EpisodeDocument,
  options: ReplayOptions,
): Promise<EpisodeDocument> {
  await using resources = new AsyncDisposableStack();
  const cassette = await mkdtemp(join(tmpdir(), "microremed-cassette-"));
  resources.defer(() => rm(cassette, { recursive: true, force: true }));
  await writeFile(join(cassette, "recording.json"), JSON.stringify(recorded));
  const { timeScale, manifestPath, catalogue } = options;
  const { agents } = await catalogueOf(context, options);
  const { byHand = false } = agents.get(recorded.method);
  const seed = recorded.request.seed;
  const range = options.range ?? rangeOf(recorded);
  const { client } = resources.use(
    await startLocalRange(context, {
      ...{ arenas: 1, timeScale, seed, manifestPath, cassette, catalogue },
      ...(range && { range }),
    }),
  );
  const experimentId = await submitOrThrow(client, requestFor(recorded, byHand));
  await followExperiments(client, [experimentId], context.terminal, context.signal);
  const { experiment, episodes } = await client.experiment(experimentId);
  const [record] = episodes;
  if (!record)
    throw terminal("internal", `experiment ${experimentIdOf(recorded.id)} has no replayed episode`);
  return episodeDocument(experiment, record, await client.conversation(record.id));
}

/** What was interpreted is interpreted again; anything else runs as well as it can here. */
const rangeOf = ({ metadata }: EpisodeDocument) =>
  metadata["range"] === "in-process" ? "in-process" : undefined;
