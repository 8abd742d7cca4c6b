import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { EpisodeDocument } from "@microremed/contracts";
import { AppError, terminal } from "@microremed/core";
import { type Cassette, createCassette, type Recording } from "@microremed/llm";
import { z } from "zod";
import {
  createRecordedJudge,
  JudgedSteps,
  type RecordedJudge,
  type RecordedJudgement,
} from "./recorded-judge.ts";

/** Saved files hold more than is needed here, and only that is checked. */
const Recorded = z
  .object(EpisodeDocument.pick({ model: true, index: true, conversation: true }).shape)
  .extend({
    steps: JudgedSteps,
  });
/** Bounds what a directory can make us hold. */
const maxRecordings = 10_000;

/** The recordings in a directory of saved episodes. Throws `invalid-config` that names the file that is none. */
export async function openCassette(
  directory: string,
): Promise<{ readonly cassette: Cassette; readonly judge: RecordedJudge }> {
  const names = (await readOrThrow(directory, () => readdir(directory))).filter((name) =>
    name.endsWith(".json"),
  );
  if (names.length > maxRecordings) {
    throw notUsable(directory, `holds ${names.length} files; a cassette may have ${maxRecordings}`);
  }
  const recordings: (Recording & { readonly steps: readonly RecordedJudgement[] })[] = [];
  for (const name of names.sort()) {
    const path = join(directory, name);
    recordings.push(
      await readOrThrow(path, async () => Recorded.parse(JSON.parse(await readFile(path, "utf8")))),
    );
  }
  return {
    cassette: createCassette(recordings),
    judge: createRecordedJudge(recordings.flatMap(({ steps }) => steps)),
  };
}

async function readOrThrow<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    throw notUsable(path, AppError.from(thrown).message.slice(0, 300));
  }
}

function notUsable(path: string, why: string): AppError {
  const message = `the cassette cannot be used: ${path}: ${why}; give a directory that was written with --save-path`;
  return terminal("invalid-config", message, { path });
}
