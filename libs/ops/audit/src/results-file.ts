import { createHash } from "node:crypto";
import { appendFile, readFile } from "node:fs/promises";
import { terminal } from "@microremed/core";
import { z } from "zod";
import type { AuditRun } from "./plan-audit.ts";

/** One finished run as a line of a results file; what is not needed to go on is there to be read. */
const Line = z.object({
  key: z.string(),
  harness: z.string(),
  strict: z.boolean().nullable(),
  clean: z.boolean().nullable(),
  microremed: z.boolean().nullable(),
  reason: z.string(),
});
type Line = z.infer<typeof Line>;

/** What the judges said of a run, or why they said nothing (`strict` is null). */
export type StoredResult = Omit<Line, "key" | "harness">;

/** Finished runs of an audit, so that it can go on where it stopped. */
export interface ResultsFile {
  /** Undefined: not finished yet, or by another version of the harness. */
  find(run: AuditRun): StoredResult | undefined;
  add(run: AuditRun, result: StoredResult): Promise<void>;
}

const mostBytes = 512 * 2 ** 20;

/**
 * Reads a results file, or begins one: a JSON object a line, in the order in which runs end. Several audits may write the
 * same file. Throws `invalid-config` (terminal) for a file of something else.
 */
export async function openResults(path: string, harness: string): Promise<ResultsFile> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw terminal("invalid-config", `${path}: the file of results cannot be read (${error.message})`, {
      path,
    });
  });
  if (text.length > mostBytes)
    throw terminal("invalid-config", `${path}: expected at most ${mostBytes} characters of results`, {
      path,
    });
  const read = text.split("\n").filter((line) => line !== "");
  // A line that was being written when an audit was killed is no result: its run is made again.
  const results = read.flatMap((line) => lineOf(line) ?? []);
  if (read.length > 0 && results.length === 0)
    throw terminal("invalid-config", `${path}: expected results of an audit, a JSON object a line`, { path });
  const known = new Map(results.map((line) => [line.key, line]));
  let start = text === "" || text.endsWith("\n") ? "" : "\n";
  return {
    find(run) {
      const found = known.get(keyOf(run));
      return found?.harness === harness ? found : undefined;
    },
    async add(run, result) {
      const { environment, failure, target, concealment, persistence, remedy } = run;
      const line = {
        key: keyOf(run),
        harness,
        ...{ environment, failure, target, concealment, persistence },
        ...{ remedy: remedy.name, class: remedy.class },
        ...result,
      };
      const text = `${start}${JSON.stringify(line)}\n`;
      start = "";
      await appendFile(path, text);
    },
  };
}

function lineOf(line: string): Line | undefined {
  try {
    return Line.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** What makes two runs the same: the case, and all of the remedy. */
function keyOf({
  environment,
  failure,
  target,
  concealment,
  persistence,
  seed,
  remedy,
  playbook,
}: AuditRun): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([playbook, remedy]))
    .digest("base64url");
  return [
    environment,
    failure,
    target,
    concealment,
    persistence,
    seed,
    remedy.name,
    digest.slice(0, 12),
  ].join("/");
}
