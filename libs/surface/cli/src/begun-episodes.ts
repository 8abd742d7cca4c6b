import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { EarlierTrial, type EpisodeRecord } from "@microremed/contracts";
import { z } from "zod";
import { readJsonFile } from "./read-request.ts";
import { writeWhole } from "./write-whole.ts";

// An episode that is run again has what its agent had been given before in its record, whatever ended that: else who does not like
// how a turn goes could interrupt the run, and resume it.

/** `begun-<index>.json`: of an episode that has not ended. */
const begunFile = /^begun-(\d{4,})\.json$/;
const nameOf = (index: number): string => `begun-${String(index).padStart(4, "0")}.json`;

const Trials = z.array(EarlierTrial).max(1_000);

/** The trials of an episode in which its agent had been given something, as another trial after them has them in its `earlier`. */
export function begunTrials(
  record: Pick<
    EpisodeRecord,
    "trial" | "target" | "arena" | "steps" | "timings" | "reason" | "error" | "earlier"
  >,
): EarlierTrial[] {
  const { trial, target, arena, steps, timings, earlier = [] } = record;
  const isBegun = steps.length > 0 || timings.some((one) => one.stage === "solve" && one.trial === trial);
  if (!isBegun) return [...earlier];
  const error = record.error ?? { code: "cancelled", message: "the run was ended in its turn", details: {} };
  return [...earlier, { trial, target, arena, reason: record.reason ?? error.message, error, steps }];
}

/** Writes what the agent of an episode has been given until now, beside the episodes that have ended. */
export function saveBegun(directory: string, index: number, trials: readonly EarlierTrial[]): Promise<void> {
  return writeWhole(join(directory, nameOf(index)), `${JSON.stringify(trials)}\n`);
}

/** To be called once the episode has ended, and is saved. */
export async function removeBegun(directory: string, index: number): Promise<void> {
  await rm(join(directory, nameOf(index)), { force: true });
}

/** What is written of episodes that have not ended, by index. Throws `invalid-request` for a file of another kind. */
export async function readBegun(directory: string): Promise<Map<number, readonly EarlierTrial[]>> {
  const begun = new Map<number, readonly EarlierTrial[]>();
  for (const name of await readdir(directory)) {
    const [, index] = begunFile.exec(name) ?? [];
    if (index === undefined) continue;
    const trials = await readJsonFile(join(directory, name), "begun episode", "--save-path", (value) =>
      Trials.parse(value),
    );
    begun.set(Number(index), trials);
  }
  return begun;
}
