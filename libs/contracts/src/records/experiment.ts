import { z } from "zod";
import { ExperimentId } from "../ids.ts";
import { ExperimentRequest } from "../messages/experiment-request.ts";

/** `completed` and `cancelled` are final. */
export const ExperimentStatus = z.enum(["running", "completed", "cancelled"]);
export type ExperimentStatus = z.infer<typeof ExperimentStatus>;

/** How a range runs: five processes with NATS, Redis and Ansible, or one process that interprets playbooks. */
export const RangeKind = z.enum(["processes", "in-process"]);
export type RangeKind = z.infer<typeof RangeKind>;

/** One experiment: its request with the defaults filled in, and how far it is. */
export const ExperimentRecord = z.strictObject({
  id: ExperimentId,
  request: ExperimentRequest,
  status: ExperimentStatus,
  episodes: z.int().min(1),
  harnessVersion: z.string().default("unknown").describe("version of the scheduler that planned it"),
  range: RangeKind.default("processes").describe(
    "what it ran on: processes with NATS, Redis and Ansible, or one process that interprets playbooks",
  ),
  cancelledBy: z
    .literal("agent")
    .optional()
    .describe("of a cancelled one: its agent left; absent: it was ended from outside"),
  neverPlanned: z
    .int()
    .min(1)
    .optional()
    .describe("of a cancelled one: episodes that its request has besides; absent: none"),
  drawsKey: z
    .string()
    .optional()
    .describe(
      "key of the random numbers that the code of its agents draws, where its request names none: a secret, drawn at its start; absent in older records",
    ),
  submittedAt: z.number().describe("wall clock, ms"),
  finishedAt: z.number().nullable(),
});
export type ExperimentRecord = z.infer<typeof ExperimentRecord>;
