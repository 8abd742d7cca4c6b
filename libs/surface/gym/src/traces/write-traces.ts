import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { parts } from "@microremed/dataset";
import { openAiMessages, openAiTools, shareGptTurns } from "@microremed/trajectory/formats";
import type { KeptTrace } from "./build-traces.ts";
import type { CaseFiles } from "./case-files.ts";
import type { CaseTraces, Trace } from "./trace.types.ts";
import { openTraceParquet } from "./trace-parquet.ts";

/** Folders of a set, one for each format; each has a file for each part. */
export const formatFolders = { openAi: "openai-chat", shareGpt: "sharegpt", parquet: "parquet" } as const;

/** A file that gets one trace after the other, and its name when it is whole. */
interface Sink {
  readonly name: string;
  write(trace: Trace, of: CaseTraces): Promise<void>;
  close(): Promise<void>;
}

/** Writes the files of all formats from the finished cases, one case in memory at a time. Files of before are replaced. */
export async function writeTraces(
  directory: string,
  kept: readonly KeptTrace[],
  files: CaseFiles,
): Promise<void> {
  for (const folder of Object.values(formatFolders))
    await mkdir(join(directory, folder), { recursive: true });
  for (const part of parts) {
    const sinks = sinksOf(directory, part);
    const own = Map.groupBy(
      kept.filter(({ labels }) => labels.part === part),
      ({ index }) => index,
    );
    for (const [index, wanted] of own) {
      const one = await files.read(index);
      const ids = new Set(wanted.map(({ id }) => id));
      for (const trace of one?.traces ?? [])
        if (one && ids.has(trace.id)) for (const sink of sinks) await sink.write(trace, one);
    }
    for (const { name, close } of sinks) {
      await close();
      await rename(`${name}.part`, name);
    }
  }
}

function sinksOf(directory: string, part: string): readonly Sink[] {
  const { openAi, shareGpt, parquet } = formatFolders;
  const table = join(directory, parquet, `${part}.parquet`);
  return [
    lines(join(directory, openAi, `${part}.jsonl`), (trace, { tools, labels }) => ({
      messages: openAiMessages(trace.conversation),
      tools: openAiTools(tools),
      metadata: metadataOf(trace, labels),
    })),
    lines(join(directory, shareGpt, `${part}.jsonl`), (trace, { tools, labels }) => ({
      conversations: shareGptTurns(trace.conversation),
      tools: JSON.stringify(tools),
      metadata: metadataOf(trace, labels),
    })),
    { name: table, ...openTraceParquet(`${table}.part`) },
  ];
}

const metadataOf = ({ id, reward, steps, course }: Trace, labels: CaseTraces["labels"]) => {
  const { dropped, slips, guesses, repairs } = course;
  return { id, ...labels, reward, steps, dropped, slips, guesses, repairs };
};

function lines(name: string, lineOf: (trace: Trace, of: CaseTraces) => object): Sink {
  const stream = createWriteStream(`${name}.part`);
  return {
    name,
    async write(trace, of) {
      if (!stream.write(`${JSON.stringify(lineOf(trace, of))}\n`)) await once(stream, "drain");
    },
    async close() {
      stream.end();
      await finished(stream);
    },
  };
}
