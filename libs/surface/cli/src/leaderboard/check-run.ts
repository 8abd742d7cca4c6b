import { randomInt } from "node:crypto";
import { solverOf } from "@microremed/catalogue";
import { type EpisodeDocument, isSessionModel } from "@microremed/contracts";
import { AppError, harnessVersion } from "@microremed/core";
import { fingerprintOf } from "@microremed/leaderboard";
import type { Catalogue } from "@microremed/registry";
import { checkSaved } from "../check-saved.ts";
import type { Context } from "../context.ts";
import { type ReplayOptions, replayEpisode } from "../replay/replay-episode.ts";
import { readSavedRun, type SavedRun } from "../saved-run.ts";
import { readSigned, type SignedRun, withoutResult } from "./read-entry.ts";

/** One thing that was checked of a run. */
export interface Check {
  readonly check: "signature" | "version" | "plan" | "outcomes" | "replays";
  readonly passed: boolean;
  /** What was found, or what is wrong: each a line. */
  readonly details: readonly string[];
}

/** Most lines that one check prints of what is wrong. */
const mostDetails = 20;

/**
 * Checks a signed run, one check after the other, until one does not pass: the signature and the files, the version of MicroRemed, that the
 * run has every episode that its request plans, that each outcome follows from what is saved, and `replays` episodes drawn at random, run
 * again with the recorded answers.
 */
export async function* checkRun(
  context: Context,
  directory: string,
  catalogue: Catalogue,
  { replays, ...how }: ReplayOptions & { readonly replays: number },
): AsyncGenerator<Check> {
  let signed: SignedRun | undefined;
  let episodes: readonly EpisodeDocument[] = [];
  const checks: readonly [Check["check"], () => Promise<Omit<Check, "check">>][] = [
    [
      "signature",
      async () => {
        signed = await readSigned(directory);
        return checkSignature(directory, signed);
      },
    ],
    ["version", async () => checkVersion(signed)],
    [
      "plan",
      async () => {
        const run = await readSavedRun(directory, catalogue, undefined);
        episodes = run.documents;
        return checkPlan(run);
      },
    ],
    ["outcomes", () => checkOutcomes(episodes, catalogue)],
    [
      "replays",
      () => {
        const some = episodes.filter((episode) => canBeReplayed(episode, catalogue));
        return checkReplays(context, drawn(some, replays), episodes.length - some.length, how);
      },
    ],
  ];
  for (const [check, run] of checks) {
    const result = await run().catch((error: unknown) => failedWith([AppError.from(error).message]));
    yield { check, ...result };
    if (!result.passed) return;
  }
}

const passedWith = (detail: string) => ({ passed: true, details: [detail] });

function failedWith(problems: readonly string[]): Omit<Check, "check"> {
  const more = problems.length - mostDetails;
  return {
    passed: false,
    details: [...problems.slice(0, mostDetails), ...(more > 0 ? [`and ${more} more`] : [])],
  };
}

function checkSignature(directory: string, signed: SignedRun | undefined) {
  if (!signed)
    return failedWith([`${directory} is not signed; sign it: microremed leaderboard sign ${directory}`]);
  const { files, publicKey } = signed.submission;
  return passedWith(`${Object.keys(files).length} files, signed by the key ${fingerprintOf(publicKey)}`);
}

function checkVersion(signed: SignedRun | undefined) {
  const version = signed?.submission.harnessVersion;
  if (version === harnessVersion) return passedWith(harnessVersion);
  return failedWith([
    `the run is of MicroRemed ${version}, this is ${harnessVersion}; check it with its own version`,
  ]);
}

function checkPlan(run: SavedRun) {
  const missing = withoutResult(run);
  if (missing.length === 0) return passedWith(`all ${run.documents.length} planned episodes`);
  return failedWith([`${missing.length} episodes that the request plans are missing or were cancelled`]);
}

async function checkOutcomes(episodes: readonly EpisodeDocument[], catalogue: Catalogue) {
  const { unfounded } = await checkSaved(episodes, catalogue);
  const problems = unfounded.flatMap(({ id, problems: some }) => some.map((problem) => `${id}: ${problem}`));
  return problems.length === 0 ? passedWith("each follows from what is saved") : failedWith(problems);
}

/**
 * Its model's answers are recorded, or its agent is code of the catalogue, which draws the same again. Of an outside agent only the
 * calls are recorded.
 */
function canBeReplayed(
  { conversation, method, model, steps }: EpisodeDocument,
  { agents }: Catalogue,
): boolean {
  if (isSessionModel(model)) return false;
  const isRecorded = conversation.some((message) => message.role === "assistant" && message.exchange);
  return steps.length > 0 && (isRecorded || (agents.has(method) && solverOf(agents.get(method)) === "code"));
}

async function checkReplays(
  context: Context,
  episodes: readonly EpisodeDocument[],
  without: number,
  how: ReplayOptions,
) {
  const problems: string[] = [];
  for (const episode of episodes) {
    context.terminal.say(`replaying ${episode.id}`);
    const { divergences, recorded, replayed } = await replayEpisode(context, episode, how);
    // What tools print may differ in a measurement; what was done, and what came of it, may not.
    const where = divergences.flatMap(({ where: place, kind }) =>
      kind === "content" && !place.startsWith("message ") ? [place] : [],
    );
    if (recorded !== replayed || where.length > 0)
      problems.push(
        `${episode.id}: recorded ${recorded}, replayed ${replayed}; it differs at ${where.join(", ")}`,
      );
  }
  if (problems.length > 0) return failedWith(problems);
  return passedWith(replaysInWords(episodes.length, without));
}

/** What is said of replays of which none differs: where none was made, nothing was checked. */
export function replaysInWords(made: number, without: number): string {
  const found =
    made === 0 ? "none drawn: no episode was checked by a replay" : `${made} drawn, all end as recorded`;
  const left = `${without} cannot be replayed: no answers are recorded, or an outside agent gave them`;
  return without === 0 ? found : `${found}; ${left}`;
}

/** Drawn by this machine, so that no submitter knows which ones. */
function drawn(episodes: readonly EpisodeDocument[], count: number): EpisodeDocument[] {
  const left = [...episodes];
  const taken: EpisodeDocument[] = [];
  while (taken.length < count && left.length > 0) taken.push(...left.splice(randomInt(left.length), 1));
  return taken;
}
