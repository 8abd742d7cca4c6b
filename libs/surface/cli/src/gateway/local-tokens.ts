import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { State } from "@microremed/state";
import { makeToken, usualLimits } from "./make-token.ts";

/** The files in a range's directory that hold its own tokens, by scope. */
export const tokenFiles = { researcher: "researcher.token", agent: "agent.token" } as const;

const localLimits = {
  ...usualLimits,
  ...{ requestsPerMinute: 60_000, mostSessions: 64, problemsPerHour: 100_000 },
};

/**
 * Makes a token for a researcher and one for agents of a local range, and writes them to files that this user alone can read.
 * Disposing it removes the files: the tokens end with the range.
 */
export async function writeLocalTokens(
  directory: string,
  tokens: Pick<State["tokens"], "put">,
): Promise<AsyncDisposable> {
  await using written = new AsyncDisposableStack();
  for (const scope of ["researcher", "agent"] as const) {
    const name = scope === "agent" ? "*" : "local";
    const { record, text } = makeToken({ scope, name, ...localLimits }, Date.now());
    await tokens.put(record);
    const file = join(directory, tokenFiles[scope]);
    // Rights are given to new files only.
    await rm(file, { force: true });
    await writeFile(file, `${text}\n`, { mode: 0o600 });
    written.defer(() => removeOwn(file, text));
  }
  return written.move();
}

/** Another range may have written its own in the meantime. */
async function removeOwn(file: string, text: string): Promise<void> {
  const found = await readFile(file, "utf8").catch(() => "");
  if (found.trim() === text) await rm(file, { force: true });
}
