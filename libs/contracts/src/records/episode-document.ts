import { z } from "zod";
import { ExperimentRequest } from "../messages/experiment-request.ts";
import { Conversation } from "./conversation.ts";
import { EpisodeRecord } from "./episode.ts";
import { upgradeEpisode } from "./upgrade-episode.ts";

/**
 * One episode as it is written to a file: all that is needed to explain, to replay and to export it without a range.
 * `metadata` is its summary under MicroRemed's names.
 */
export const EpisodeDocument = z.strictObject({
  metadata: z.record(z.string(), z.unknown()),
  request: ExperimentRequest.describe("request of its experiment, with defaults"),
  ...EpisodeRecord.shape,
  conversation: Conversation,
});
export type EpisodeDocument = z.infer<typeof EpisodeDocument>;

/** A stored one, whichever version wrote it. */
export const StoredEpisodeDocument = z.preprocess(upgradeEpisode, EpisodeDocument);
