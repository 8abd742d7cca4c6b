import { z } from "zod";
import { EpisodeId, KubeName } from "../ids.ts";
import { Arena } from "../records/arena.ts";
import { Concealment } from "../records/choices.ts";
import { defineMessage } from "./define-message.ts";

/** Name of an object, with its kind before it or without. */
const TelemetryObject = z
  .string()
  .regex(/^(?:[a-z]{1,40}\/)?[a-z0-9][a-z0-9.-]{0,251}$/, "<name> or <kind>/<name>");

/** Measured of every workload, over time. */
export const SeriesName = z.enum(["cpu", "memory", "requests", "errors", "latency", "latency_p95"]);
export type SeriesName = z.infer<typeof SeriesName>;

const sinceSeconds = z.int().min(1).max(86_400);
const untilSeconds = z
  .int()
  .min(0)
  .max(86_400)
  .default(0)
  .describe("where the range ends, seconds ago; 0: now");

/** An observation of the arena: a shell command that only reads, or a question to its telemetry. */
export const Probe = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("command"), command: z.string().max(16_384) }),
  z.strictObject({
    kind: z.literal("logs"),
    of: TelemetryObject.describe("a pod, or <kind>/<name>"),
    container: KubeName.optional(),
    previous: z.boolean().default(false).describe("logs of the container before its last restart"),
    lines: z.int().min(1).max(1000).default(100).describe("the last ones, of those that match"),
    sinceSeconds: sinceSeconds.optional(),
    match: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[^\n\r\0]*$/, "one line")
      .optional()
      .describe("extended regular expression, upper and lower case alike; default: every line"),
  }),
  z.strictObject({
    kind: z.literal("metrics"),
    promql: z.string().max(4096).optional().describe("default: CPU and memory of every container now"),
  }),
  z.strictObject({
    kind: z.literal("events"),
    of: TelemetryObject.optional().describe("default: all"),
    warnings: z.literal(true).optional().describe("only those of type Warning"),
  }),
  z.strictObject({ kind: z.literal("topology") }),
  z
    .strictObject({
      kind: z.literal("series"),
      names: z.array(SeriesName).min(1).max(6),
      of: KubeName.optional().describe("a workload, or a pod with `per` pod; default: all"),
      per: z
        .enum(["pod", "workload"])
        .optional()
        .describe("a row for each; of a workload's pods the requests count together; default: pod"),
      sinceSeconds: sinceSeconds.default(600),
      untilSeconds,
      stepSeconds: z
        .int()
        .min(5)
        .max(86_400)
        .default(15)
        .describe("of the range if that is shorter; longer for a range of very many steps"),
    })
    .describe(
      "measurements over time; the reply is JSON, without a value where nothing was measured or served",
    ),
  z
    .strictObject({
      kind: z.literal("traces"),
      service: KubeName.optional().describe("default: any"),
      id: z
        .string()
        .regex(/^[0-9a-f]{8,32}$/, "hexadecimal digits")
        .optional()
        .describe("one trace, by the beginning of its id"),
      sinceSeconds: sinceSeconds.default(600),
      untilSeconds,
      limit: z.int().min(1).max(300).default(100).describe("the newest"),
    })
    .describe("traces of requests; the reply is JSON"),
  z
    .strictObject({ kind: z.literal("changes"), sinceSeconds: sinceSeconds.default(1800) })
    .describe("what was created or changed lately, the latest first; the reply is JSON"),
  z
    .strictObject({ kind: z.literal("describe"), of: TelemetryObject })
    .describe("one object, its pods, its events"),
  z
    .strictObject({ kind: z.literal("wait"), seconds: z.int().min(1).max(300) })
    .describe("lets time of the cluster pass"),
]);
export type Probe = z.infer<typeof Probe>;

/** Remediator to executor: observe the arena with its read-only credentials. */
export const ProbeRequest = z.strictObject({
  episodeId: EpisodeId,
  arena: Arena,
  concealment: Concealment.optional().describe("absent: none"),
  probe: Probe,
  historyFrom: z
    .number()
    .optional()
    .describe("cluster time, ms: series, traces and changes of before are not shown; absent: all are"),
  timeoutSeconds: z.int().min(1),
});
export type ProbeRequest = z.infer<typeof ProbeRequest>;

/** What a probe printed, and how it ended. `exitCode` is null when there is none: it was refused or stopped. */
export const ProbeReply = z.strictObject({
  status: z.enum(["ok", "failed", "timed-out", "refused"]),
  exitCode: z.int().nullable(),
  output: z.string().describe("stdout and stderr, clipped in the middle; for refused: the reason"),
  clusterMs: z
    .number()
    .min(0)
    .optional()
    .describe("how long it took on the cluster's clock; absent: not known"),
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
