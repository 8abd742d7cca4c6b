import type { ExperimentRequestInput } from "@microremed/contracts";
import { AppError, counted } from "@microremed/core";
import { remainingRequests } from "@microremed/planner";
import type { RangeClient } from "@microremed/range-client";
import { createReport } from "@microremed/scoring";
import type { Context } from "./context.ts";
import type { Part, Whole } from "./episode-keeper.ts";
import { type RunResult, runExperiment } from "./run-experiment.ts";
import type { SavedRun } from "./saved-run.ts";
import { submitOrThrow } from "./submit.ts";

/** How a saved experiment is continued. */
export interface ResumeOptions {
  /** Called only if something is missing. */
  readonly open: () => Promise<RangeClient>;
  /** Before anything is submitted. */
  readonly check?: (client: RangeClient, request: ExperimentRequestInput) => Promise<void>;
  /** The experiments that run what is missing, as soon as they are known. */
  readonly onStarted?: (experimentIds: readonly string[]) => void;
  /** True: one that still runs in the range is cancelled, for its agent was away. Default: it is gone on with. */
  readonly startsAgain?: boolean;
}

/**
 * Runs what is missing of a saved experiment and reports the whole. A range that knows the experiment goes on with it;
 * any other gets a request for each model, so that a slow model delays no other. What agents had been given of episodes that are run
 * again is in their new records.
 */
export async function resumeRun(
  context: Context,
  directory: string,
  saved: SavedRun,
  { open, check, onStarted, startsAgain = false }: ResumeOptions,
): Promise<RunResult> {
  const { id, request, done, missing, begun } = saved;
  const count = [...missing.values()].reduce((sum, { length }) => sum + length, 0);
  context.terminal.say(`${id}: ${counted(done.length, "episode")} done, ${count} to be run`);
  if (count === 0) return { report: reportOf(saved), cancelled: false, interrupted: false, lost: 0 };
  const client = await open();
  const follow = (parts: readonly Part[], earlier: Whole["earlier"] = new Map()): Promise<RunResult> => {
    onStarted?.(parts.map(({ experimentId }) => experimentId));
    return runExperiment(context, client, parts, {
      whole: { id, request, done, earlier },
      savePath: directory,
    });
  };
  if (await isRunning(client, id)) {
    if (!startsAgain) return await follow([{ experimentId: id }]);
    await client.cancel(id, "agent");
  }
  await check?.(client, { ...request, model: [...missing.keys()] });
  const parts: Part[] = [];
  const lacking = [...missing.values()].flat().map(({ index }) => index);
  for (const part of remainingRequests(request, request.agentSeed ?? id, lacking))
    parts.push({ experimentId: await submitOrThrow(client, part.request), numbers: part.numbers });
  return await follow(parts, begun);
}

/** Whether the range has the experiment and it is under way there. */
async function isRunning(client: RangeClient, id: string): Promise<boolean> {
  try {
    return (await client.experimentRecord(id)).status === "running";
  } catch (thrown) {
    if (AppError.from(thrown).code === "unknown-experiment") return false;
    throw thrown;
  }
}

function reportOf({ done, ...experiment }: SavedRun) {
  const { range = "processes" } = experiment;
  return createReport({ ...experiment, range, status: "completed" }, done);
}
