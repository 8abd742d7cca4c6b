import { cp, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { terminal } from "@microremed/core";
import { Leaderboard, renderLeaderboard } from "@microremed/leaderboard";
import { z } from "zod";
import { submissionFile } from "../save-episodes.ts";
import { filesOfRun, signatureFile } from "./read-entry.ts";

/** Writes `index.html`, `leaderboard.json` and the JSON schema of the latter; what an earlier build wrote is replaced. */
export async function writeSite(directory: string, leaderboard: Leaderboard): Promise<void> {
  const schema = z.toJSONSchema(Leaderboard, { io: "output" });
  const files: readonly (readonly [string, string])[] = [
    ["leaderboard.schema.json", JSON.stringify({ title: "leaderboard.json", ...schema }, null, 2)],
    ["leaderboard.json", JSON.stringify(Leaderboard.parse(leaderboard), null, 2)],
    ["index.html", renderLeaderboard(leaderboard)],
  ];
  await mkdir(directory, { recursive: true });
  for (const [name, text] of files) {
    const path = join(directory, name);
    await writeFile(`${path}.part`, `${text.trimEnd()}\n`);
    await rename(`${path}.part`, path);
  }
}

/** Copies what is signed of a run to `<directory>/<digest>`, and returns that path. Throws `invalid-request` when it is there. */
export async function takeIn(source: string, directory: string, digest: string): Promise<string> {
  const target = join(directory, digest.slice(0, 12));
  if (await stat(target).catch(() => undefined))
    throw terminal("invalid-request", `${target} is there: this run has been submitted before`);
  const part = `${target}.part`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true });
  for (const name of [...(await filesOfRun(source)), submissionFile, signatureFile])
    await cp(join(source, name), join(part, name), { errorOnExist: true, force: false });
  await rename(part, target);
  return target;
}
