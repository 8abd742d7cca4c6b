import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { ExperimentRequest } from "@microremed/contracts";
import { AppError, terminal } from "@microremed/core";
import {
  digestOf,
  type EnteredRun,
  fingerprintOf,
  isSignedBy,
  Submission,
  submissionFormat,
  suitesIn,
} from "@microremed/leaderboard";
import { planRequest } from "@microremed/planner";
import type { Catalogue } from "@microremed/registry";
import type { Report } from "@microremed/scoring";
import { fileWords } from "../file-trouble.ts";
import { readTextFile } from "../read-request.ts";
import { episodeFile, requestFile, submissionFile } from "../save-episodes.ts";
import { reportOf } from "../saved-report.ts";
import { readSavedRun, type SavedRun } from "../saved-run.ts";

/** The signature of `submission.json`, beside it. */
export const signatureFile = "submission.sig";

/** A folder with a signed run: what was signed, and when every file is as it was. */
export interface SignedRun {
  readonly submission: Submission;
  /** SHA-256 of `submission.json`, hex. */
  readonly digest: string;
}

/** The files of a saved run that count, by name in order: the request and the episodes. */
export async function filesOfRun(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    throw terminal(
      "invalid-request",
      `cannot read ${directory}: ${fileWords(error)}; expected a folder that was written with --save-path`,
    );
  });
  return names.filter((name) => name === requestFile || episodeFile.test(name)).sort();
}

/** SHA-256 of each of these files of a folder, hex, by name. */
export async function digestsOf(
  directory: string,
  names: readonly string[],
): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const name of names) digests[name] = digestOf(await readFile(join(directory, name)));
  return digests;
}

/**
 * Reads what is signed of a folder and checks that the signature is right and that the folder holds just these files, as they
 * were. Undefined: it is not signed. Throws `invalid-request` when anything is not as it was signed.
 */
export async function readSigned(directory: string): Promise<SignedRun | undefined> {
  const path = join(directory, submissionFile);
  if (!(await stat(path).catch(() => undefined))) return undefined;
  const text = await readTextFile(path, "the submission");
  const signature = await readTextFile(join(directory, signatureFile), "the signature");
  const submission = parseSubmission(text, path);
  const wrong = (what: string): AppError =>
    terminal(
      "invalid-request",
      `${directory}: ${what}; sign the run again, or get it again from who signed it`,
    );
  if (!isSignedBy(Buffer.from(text), signature.trim(), submission.publicKey))
    throw wrong(`${signatureFile} is no signature of ${submissionFile} by its key`);
  const names = await filesOfRun(directory);
  const added = names.find((name) => !Object.hasOwn(submission.files, name));
  if (added !== undefined) throw wrong(`${added} is not among the signed files`);
  const missing = Object.keys(submission.files).find((name) => !names.includes(name));
  if (missing !== undefined) throw wrong(`the signed file ${missing} is missing`);
  const found = await digestsOf(directory, names);
  const changed = names.find((name) => found[name] !== submission.files[name]);
  if (changed !== undefined) throw wrong(`${changed} is not as it was signed`);
  return { submission, digest: digestOf(Buffer.from(text)) };
}

function parseSubmission(text: string, path: string): Submission {
  try {
    return Submission.parse(JSON.parse(text));
  } catch (error) {
    const why = AppError.from(error).message.slice(0, 300);
    throw terminal("invalid-request", `${path} is no ${submissionFormat}: ${why}`);
  }
}

/** A run of a folder for a leaderboard. This catalogue says what is missing, of a signed run too: a signer may sign anything. */
export async function readEntry(directory: string, catalogue: Catalogue): Promise<EnteredRun> {
  const signed = await readSigned(directory);
  const run = await readSavedRun(directory, catalogue, undefined);
  const report = await reportOf(run.documents, directory, catalogue);
  assertFounded(directory, report.unfounded);
  return {
    ...{ folder: basename(resolve(directory)), report, part: partOf(run.request, catalogue) },
    missing: withoutResult(run),
    digest:
      signed?.digest ??
      digestOf(Buffer.from(JSON.stringify(await digestsOf(directory, await filesOfRun(directory))))),
    signed: signed ? submitterOf(signed.submission) : null,
  };
}

function submitterOf({ agent, version, by, url, publicKey }: Submission): EnteredRun["signed"] {
  return { agent, version, by, ...(url !== undefined && { url }), key: fingerprintOf(publicKey) };
}

/** What a request leaves out of the suites that it names: problems, cases, or tasks that the problems have. */
function partOf(request: ExperimentRequest, catalogue: Catalogue): EnteredRun["part"] {
  const { cases, task, episodes: _, ...asked } = request;
  const { problems } = asked;
  const total = (one: ExperimentRequest): number => planRequest(one, { catalogue }).total;
  const planned = total({ ...asked, ...(cases && { cases }), ...(task && { task }) });
  // A list of failures is asked for the tasks of the request alone.
  const whole = problems === undefined && task ? { ...asked, task } : asked;
  const wholes = Array.isArray(problems)
    ? suitesIn(problems).map((suite) => ({ ...whole, problems: suite }))
    : [whole];
  const of = wholes.reduce((sum, one) => sum + total(one), 0);
  return planned === of ? null : { planned, of };
}

/** Throws `invalid-request` for a run with episodes whose outcome does not follow from what is saved with them. */
export function assertFounded(directory: string, unfounded: Report["unfounded"]): void {
  const [first] = unfounded ?? [];
  if (first === undefined) return;
  const more = (unfounded?.length ?? 0) - 1;
  throw terminal(
    "invalid-request",
    `${directory}: ${first.id}: ${first.problems.join(", ")}${more > 0 ? `, and ${more} episodes more` : ""}; a leaderboard takes no run that contradicts itself`,
  );
}

/** Planned episodes that the run does not have, or that were cancelled. What ended in a harness error is there. */
export function withoutResult({ missing, documents }: SavedRun): EnteredRun["missing"] {
  const ended = new Set(
    documents.flatMap(({ index, outcome }) => (outcome === null || outcome === "cancelled" ? [] : [index])),
  );
  return [...missing.values()].flat().filter(({ index }) => !ended.has(index));
}
