import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Conversation, EpisodeRecord, ExperimentRecord } from "@microremed/contracts";
import { episodeDocument } from "@microremed/trajectory";

/** Writes `<directory>/<index>_<service>_<failure>.json` for one episode and returns the path. */
export async function saveEpisode(
  directory: string,
  experiment: ExperimentRecord,
  record: EpisodeRecord,
  conversation: Conversation,
): Promise<string> {
  await mkdir(directory, { recursive: true });
  const name = `${String(record.index).padStart(4, "0")}_${record.target}_${record.failure}.json`;
  const path = join(directory, name.replaceAll(/[^\w.-]/g, "_"));
  await writeFile(path, `${JSON.stringify(episodeDocument(experiment, record, conversation), null, 2)}\n`);
  return path;
}
