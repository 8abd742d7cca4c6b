import { type EpisodeRecord, ExperimentRecord, StoredEpisode } from "@microremed/contracts";
import { createParser, type Parser } from "./stored.ts";

/** A step reads what the last one wrote, in most cases in the same process. */
const keptEpisodes = 256;
/** Read at every step of every episode, and hardly ever changed. */
const keptExperiments = 100;

/** Reads stored episodes, those of earlier versions too. */
export function createEpisodeParser(): Parser<EpisodeRecord> {
  return createParser<EpisodeRecord>(StoredEpisode, keptEpisodes);
}

/** Reads stored experiments, those of earlier versions too. */
export function createExperimentParser(): Parser<ExperimentRecord> {
  return createParser(ExperimentRecord, keptExperiments);
}
