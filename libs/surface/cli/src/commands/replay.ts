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
import { plainTable } from "@microremed/scoring";
import { type Divergence, divergencesOf } from "@microremed/trajectory";
import { episodeDocument } from "@microremed/trajectory/document";
import { Command } from "commander";
import { type CatalogueOptions, catalogueOf, catalogueOption } from "../catalogue.ts";
import { type RangeOptions, rangeOption, timeScaleOption } from "../choose-range.ts";
import type { Context } from "../context.ts";
import { readEpisode } from "../episode-source.ts";
import { exitCodes } from "../exit-codes.ts";
import { followExperiments } from "../follow.ts";
import { startLocalRange } from "../local-range.ts";
import { outputOption } from "../output.ts";
import { submitOrThrow } from "../submit.ts";

interface Options extends CatalogueOptions, RangeOptions {
  readonly timeScale: number;
  readonly manifestPath?: string;
  readonly output: "table" | "json";
}

export function replayCommand(context: Context): Command {
  return new Command("replay")
    .argument("<episode>", "a file written with --save-path, or <experiment>.<index> of the running range")
    .option("--manifest-path <folder>", "folder of the environment, if the episode was run with one")
    .addOption(timeScaleOption(60))
    .addOption(rangeOption())
    .addOption(catalogueOption(context))
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Exits with 0 when only details (generated names, ages, numbers) differ, with 5 when the replay diverges.

Example:
  microremed replay runs/a/0003_cartservice_cpu-stress.json`,
    )
    .action(async (source: string, options: Options) => {
      process.exitCode = await replay(context, await readEpisode(context, source), options);
    });
}

async function replay(context: Context, recorded: EpisodeDocument, options: Options): Promise<number> {
  const replayed = await runAgain(context, recorded, options);
  const divergences = divergencesOf(recorded, replayed);
  const same = divergences.every(({ kind }) => kind === "details");
  const result = {
    episode: recorded.id,
    same,
    recorded: recorded.outcome,
    replayed: replayed.outcome,
    divergences,
  };
  context.terminal.print(
    options.output === "json" ? JSON.stringify(result, null, 2) : table(result, context.terminal.width),
  );
  return (same ? exitCodes.ok : exitCodes.diverged).code;
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
  options: Options,
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

interface Result {
  readonly same: boolean;
  readonly recorded: string | null;
  readonly replayed: string | null;
  readonly divergences: readonly Divergence[];
}

function table({ same, recorded, replayed, divergences }: Result, width: number): string {
  const head = `recorded ${recorded}, replayed ${replayed}: ${same ? "the same episode" : "the replay diverges"}`;
  if (divergences.length === 0) return head;
  const rows = divergences.map(({ where, kind }) => [where, kind]);
  const details = divergences
    .filter(({ kind }) => kind === "content")
    .map(({ where, difference }) => `${where}\n${difference}`);
  return [head, plainTable([["where", "what differs"], ...rows], width), ...details].join("\n\n");
}
