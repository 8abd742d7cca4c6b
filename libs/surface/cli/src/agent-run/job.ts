import { basename } from "node:path";
import { AgentLabel, type ExperimentRequestInput, isSessionModel, sessionModel } from "@microremed/contracts";
import { terminal as refuse } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";
import type { CatalogueOptions } from "../catalogue.ts";
import type { RangeOptions } from "../choose-range.ts";
import { claimDirectory } from "../claim-directory.ts";
import type { Context } from "../context.ts";
import { resumeRun } from "../resume-run.ts";
import { type RunResult, runExperiment } from "../run-experiment.ts";
import { type RunOptions, runRequest } from "../run-request.ts";
import { prepareDirectory } from "../save-episodes.ts";
import { readSavedRun } from "../saved-run.ts";
import { submitOrThrow } from "../submit.ts";
import type { Players } from "./create-players.ts";

/** The options of `agent run` that say what is asked and where it is saved. */
export interface JobOptions
  extends Omit<RunOptions, "model" | "remediateMethod" | "playbook">,
    CatalogueOptions,
    RangeOptions {
  readonly name?: string;
  readonly savePath?: string;
  readonly manifestPath?: string;
}

/** Calls of a program that says nothing else: as of other agents outside of the range. */
const usual = { maxProbes: 100, budget: ["probeRounds=400", "toolCalls=400"] };

/** What is to be run, and how. */
export interface Job {
  readonly agent: string;
  readonly request: ExperimentRequestInput;
  /** Where episodes are saved; undefined: nowhere. */
  readonly directory: string | undefined;
  /** What a range of this command's own must be like. */
  readonly range: Pick<JobOptions, "seed" | "range">;
  /** `begin`: finds the range, or starts one. */
  follow(context: Context, begin: () => Promise<Players>): Promise<RunResult>;
}

/** A new experiment. Throws `invalid-request` for what cannot be asked for. */
export async function newJob(
  options: JobOptions,
  argv: readonly string[],
  catalogue: Catalogue,
): Promise<Job> {
  const agent = agentLabel(options.name ?? basename(argv[0] ?? ""));
  const request = await runRequest(
    {
      ...{ ...options, ...{ model: [sessionModel(agent)], remediateMethod: ["Session"] } },
      maxProbes: options.maxProbes ?? usual.maxProbes,
      budget: [...usual.budget, ...options.budget],
    },
    catalogue,
  );
  const { savePath, seed, range } = options;
  if (savePath !== undefined) await prepareDirectory(savePath, undefined, options);
  return {
    ...{ agent, request, directory: savePath, range: { seed, ...(range && { range }) } },
    follow: async (context, begin) => {
      const players = await begin();
      const experimentId = await submitOrThrow(players.client, request);
      players.play([experimentId]);
      return runExperiment(context, players.client, [{ experimentId }], { savePath });
    },
  };
}

/** What an earlier `agent run` in a directory has left undone. Throws `invalid-request` for a directory with something else. */
export async function savedJob(options: JobOptions, directory: string, catalogue: Catalogue): Promise<Job> {
  const saved = await readSavedRun(directory, catalogue, options.manifestPath);
  const [model = "", ...others] = saved.request.model;
  if (others.length > 0 || !isSessionModel(model))
    throw refuse(
      "invalid-request",
      `${directory} holds no \`agent run\`: its episodes are of ${saved.request.model.join(", ")}; continue it with microremed run --resume ${directory}`,
    );
  await claimDirectory(directory);
  const range = options.range ?? saved.range;
  return {
    agent: model.slice(sessionModel("").length),
    ...{ request: saved.request, directory },
    range: { seed: saved.request.seed, ...(range && { range }) },
    follow: async (context, begin) => {
      let players: Players | undefined;
      return resumeRun(context, directory, saved, {
        open: async () => {
          players = await begin();
          return players.client;
        },
        onStarted: (experimentIds) => players?.play(experimentIds),
        // Without its program the agent was silent, which is no result of the program's.
        startsAgain: true,
      });
    },
  };
}

function agentLabel(name: string): string {
  const read = AgentLabel.safeParse(name);
  if (read.success) return read.data;
  throw refuse(
    "invalid-request",
    `--name: ${JSON.stringify(name.slice(0, 200))} is no name of an agent; write ${read.error.issues[0]?.message ?? ""}`,
  );
}
