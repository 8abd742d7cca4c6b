import { readFileSync } from "node:fs";
import { type EpisodeDocument, StoredEpisodeDocument } from "@microremed/contracts";

const text = readFileSync(new URL("./episode.json", import.meta.url), "utf8");

/** A stored episode: cpu-stress on hello-service of simple-micro, remediated by reference/runbook in one attempt. */
export function anEpisode(over: Partial<EpisodeDocument> = {}): EpisodeDocument {
  return { ...StoredEpisodeDocument.parse(JSON.parse(text)), ...over };
}
