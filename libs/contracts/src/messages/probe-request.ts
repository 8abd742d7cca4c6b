import { z } from "zod";
import { EpisodeId, KubeName } from "../ids.ts";
import { Arena } from "../records/arena.ts";
import { Concealment } from "../records/choices.ts";
import { defineMessage } from "./define-message.ts";

/** Name of an object, with its kind before it or without. */
const TelemetryObject = z
  .string()
  .regex(/^(?:[a-z]{1,40}\/)?[a-z0-9][a-z0-9.-]{0,251}$/, "<name> or <kind>/<name>");

/** An observation of the arena: a shell command that only reads, or a question to its telemetry. */
export const Probe = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("command"), command: z.string().max(16_384) }),
  z.strictObject({
    kind: z.literal("logs"),
    of: TelemetryObject.describe("a pod, or <kind>/<name>"),
    container: KubeName.optional(),
    previous: z.boolean().default(false).describe("logs of the container before its last restart"),
    lines: z.int().min(1).max(1000).default(100),
  }),
  z.strictObject({
    kind: z.literal("metrics"),
    promql: z.string().max(4096).optional().describe("default: CPU and memory of every container now"),
  }),
  z.strictObject({ kind: z.literal("events"), of: TelemetryObject.optional().describe("default: all") }),
  z.strictObject({ kind: z.literal("topology") }),
]);
export type Probe = z.infer<typeof Probe>;

/** Remediator to executor: observe the arena with its read-only credentials. */
export const ProbeRequest = z.strictObject({
  episodeId: EpisodeId,
  arena: Arena,
  concealment: Concealment.optional().describe("absent: none"),
  probe: Probe,
  timeoutSeconds: z.int().min(1),
});
export type ProbeRequest = z.infer<typeof ProbeRequest>;

/** What a probe printed, and how it ended. `exitCode` is null when there is none: it was refused or stopped. */
export const ProbeReply = z.strictObject({
  status: z.enum(["ok", "failed", "timed-out", "refused"]),
  exitCode: z.int().nullable(),
  output: z.string().describe("stdout and stderr, clipped in the middle; for refused: the reason"),
});
export type ProbeReply = z.infer<typeof ProbeReply>;

/** The request of `ProbeRequest`, on a subject of the cluster's own. */
export const probeRequest = defineMessage({
  name: "ProbeRequest",
  version: 1,
  subject: "microremed.rpc.probe.<cluster>",
  from: ["remediator"],
  to: ["executor"],
  schema: ProbeRequest,
  reply: ProbeReply,
  doc: "Observe the arena: one read-only command, or one telemetry query (request and reply, no stream).",
});
