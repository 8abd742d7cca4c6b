import { z } from "zod";
import { ExperimentId } from "../ids.ts";
import { ExperimentStatus } from "../records/experiment.ts";
import { defineMessage } from "./define-message.ts";

/** Client to scheduler: the experiments that were submitted last. */
export const ExperimentListQuery = z.strictObject({ limit: z.int().min(1).max(200).default(50) });
export type ExperimentListQuery = z.infer<typeof ExperimentListQuery>;

/** One experiment in a list. */
export const ListedExperiment = z.strictObject({
  id: ExperimentId,
  status: ExperimentStatus,
  episodes: z.int().min(1),
  models: z.array(z.string()).max(100),
  methods: z.array(z.string()).max(100),
  about: z.string().max(200).describe("its environment, its suite, or how many problems it names"),
  submittedAt: z.number().describe("wall clock, ms since the epoch"),
  finishedAt: z.number().nullable(),
});
export type ListedExperiment = z.infer<typeof ListedExperiment>;

/** The newest first. */
export const ExperimentList = z.strictObject({ experiments: z.array(ListedExperiment) });
export type ExperimentList = z.infer<typeof ExperimentList>;

/** The request of `ExperimentListQuery`. */
export const experimentListQuery = defineMessage({
  name: "ExperimentListQuery",
  version: 1,
  subject: "microremed.rpc.list",
  from: ["client", "gateway"],
  to: ["scheduler"],
  schema: ExperimentListQuery,
  reply: ExperimentList,
  doc: "The experiments that were submitted last, without their episodes (request and reply).",
});
