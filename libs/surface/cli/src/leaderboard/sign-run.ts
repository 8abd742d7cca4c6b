import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isSessionModel, issueLines } from "@microremed/contracts";
import { counted, terminal } from "@microremed/core";
import {
  digestOf,
  fingerprintOf,
  newKeyPair,
  publicKeyOf,
  type Submission,
  Submitter,
  signBytes,
  submissionFormat,
} from "@microremed/leaderboard";
import type { Catalogue } from "@microremed/registry";
import { checkSaved } from "../check-saved.ts";
import type { Context } from "../context.ts";
import { fileWords } from "../file-trouble.ts";
import { submissionFile } from "../save-episodes.ts";
import { readSavedRun } from "../saved-run.ts";
import { assertFounded, digestsOf, filesOfRun, signatureFile, withoutResult } from "./read-entry.ts";

/** Writes a new private key, readable by its owner alone, and returns the fingerprint. Throws `invalid-request` where a file is. */
export async function writeKey(path: string): Promise<string> {
  const { privatePem, publicKey } = newKeyPair();
  await writeFile(path, privatePem, { flag: "wx", mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "EEXIST" ? "it exists and is not overwritten" : fileWords(error);
    throw terminal("invalid-request", `cannot write ${path}: ${why}; name another file with --out`);
  });
  await chmod(path, 0o600);
  return fingerprintOf(publicKey);
}

/**
 * Signs a saved run: writes `submission.json` with the digest of each of its files, and `submission.sig`. Throws `invalid-request` when an
 * episode that the request plans is missing, or was cancelled, or has an outcome that does not follow from what is saved with it.
 */
export async function signRun(
  context: Context,
  directory: string,
  catalogue: Catalogue,
  who: Record<keyof Submitter, string | undefined>,
  keyFile: string,
): Promise<Submission> {
  const submitter = readSubmitter(who);
  const privatePem = await readKey(keyFile);
  const run = await readSavedRun(directory, catalogue, undefined);
  const { documents } = run;
  assertFounded(directory, (await checkSaved(documents, catalogue)).unfounded);
  const missing = withoutResult(run);
  if (missing.length > 0)
    throw terminal(
      "invalid-request",
      `${directory} lacks ${missing.length} of the episodes that its request plans; finish it first: ${resumedBy(directory, run.request.model)}`,
    );
  const submission: Submission = {
    format: submissionFormat,
    ...submitter,
    experiment: run.id,
    harnessVersion: run.harnessVersion,
    range: run.range ?? "processes",
    planned: documents.length,
    files: await digestsOf(directory, await filesOfRun(directory)),
    publicKey: publicKeyOf(privatePem),
  };
  const bytes = Buffer.from(`${JSON.stringify(submission, null, 2)}\n`);
  await writeFile(join(directory, submissionFile), bytes);
  await writeFile(join(directory, signatureFile), `${signBytes(bytes, privatePem)}\n`);
  context.terminal.say(
    `signed ${counted(documents.length, "episode")} as ${submission.agent} ${submission.version}: submission ${digestOf(bytes).slice(0, 12)}, key ${fingerprintOf(submission.publicKey)}`,
  );
  return submission;
}

/** What goes on with a saved run. */
function resumedBy(directory: string, models: readonly string[]): string {
  return models.some(isSessionModel)
    ? `microremed agent run --resume ${directory} -- <command>`
    : `microremed run --resume ${directory}`;
}

function readSubmitter(who: Record<keyof Submitter, string | undefined>): Submitter {
  const given = Object.fromEntries(Object.entries(who).filter(([, value]) => value !== undefined));
  const read = Submitter.safeParse(given);
  if (read.success) return read.data;
  const issues = read.error.issues.map(({ path, message }) => ({ path: `--${path.join(".")}`, message }));
  throw terminal("invalid-request", `wrong options:\n${issueLines(issues)}`);
}

/** Who can read the key can sign in its owner's name. */
async function readKey(path: string): Promise<string> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw terminal(
      "invalid-request",
      `cannot read the key ${path}: ${fileWords(error)}; \`microremed leaderboard keys --out ${path}\` makes one`,
    );
  });
  if ((found.mode & 0o077) !== 0)
    throw terminal("invalid-request", `others may read the key ${path}; run chmod 600 ${path}`);
  return await readFile(path, "utf8");
}
