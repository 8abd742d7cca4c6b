import { gunzipSync, gzipSync } from "node:zlib";
import { EpisodeId } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { z } from "zod";
import { TelemetryWindow } from "./window.ts";

/** The telemetry of one trial of an episode. */
export const StoredTelemetry = z.strictObject({
  version: z.literal(1),
  episodeId: EpisodeId,
  trial: z.int().min(1),
  window: TelemetryWindow,
});
export type StoredTelemetry = z.infer<typeof StoredTelemetry>;

/** Most bytes of one, as JSON. */
const mostBytes = 256 * 2 ** 20;

/** Name of the file of a trial's telemetry. */
export function telemetryFile(episodeId: string, trial: number): string {
  return `${episodeId}.${trial}.json.gz`;
}

/** Throws `invalid-request` for telemetry that would be too large to read again. */
export function packTelemetry(stored: StoredTelemetry): Uint8Array {
  const text = Buffer.from(JSON.stringify(stored));
  if (text.length > mostBytes)
    throw terminal("invalid-request", `${text.length} bytes of telemetry; at most ${mostBytes} are kept`);
  return new Uint8Array(gzipSync(text));
}

/** Throws `invalid-request` for what is no telemetry. `path` is for the message. */
export function unpackTelemetry(packed: Uint8Array, path: string): StoredTelemetry {
  try {
    const text = gunzipSync(packed, { maxOutputLength: mostBytes }).toString("utf8");
    return StoredTelemetry.parse(JSON.parse(text));
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).slice(0, 300);
    throw terminal("invalid-request", `${path} is no saved telemetry: ${why}`);
  }
}
