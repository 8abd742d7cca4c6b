import { z } from "zod";
import { ExperimentId } from "../ids.ts";
import { EpisodeRecord } from "../records/episode.ts";
import { ErrorInfo } from "../records/error-info.ts";
import { ExperimentRecord } from "../records/experiment.ts";
import { defineMessage } from "./define-message.ts";

/** Client to scheduler: an experiment and its episodes, `limit` at a time from index `from`. */
export const ExperimentQuery = z.strictObject({
  experimentId: ExperimentId,
  from: z.int().min(0).default(0),
  limit: z.int().min(1).max(100).default(20),
  offset: z
    .int()
    .min(0)
    .default(0)
    .describe("of a record that fits in no reply: the character of its JSON at which the part begins"),
});
export type ExperimentQuery = z.infer<typeof ExperimentQuery>;

/**
 * As many of an experiment's episodes as fit in one reply, by index; of one that fits in no reply a `part` of its JSON, which
 * goes on at `offset`; `error` (`unknown-experiment`) when there is no experiment.
 */
export const ExperimentPage = z.discriminatedUnion("status", [
  z.strictObject({
    status: z.literal("ok"),
    experiment: ExperimentRecord,
    episodes: z.array(EpisodeRecord),
    next: z.int().nullable().describe("index of the next page; null: this was the last"),
  }),
  z.strictObject({
    status: z.literal("part"),
    experiment: ExperimentRecord,
    index: z.int().min(0).describe("of the episode"),
    version: z.int().min(0).describe("of its record: parts of two versions do not belong together"),
    text: z.string(),
    length: z.int().min(0).describe("characters of the whole"),
  }),
  z.strictObject({ status: z.literal("error"), error: ErrorInfo }),
]);
export type ExperimentPage = z.infer<typeof ExperimentPage>;

/** The request of `ExperimentQuery`. */
export const experimentQuery = defineMessage({
  name: "ExperimentQuery",
  version: 1,
  subject: "microremed.rpc.experiments",
  from: ["client", "gateway"],
  to: ["scheduler"],
  schema: ExperimentQuery,
  reply: ExperimentPage,
  doc: "An experiment and a page of its episodes (request and reply).",
});
