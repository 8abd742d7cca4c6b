import { isRecord, type Loose } from "@microremed/sim-objects";
import type { ApiRequest, ApiResponse } from "./exchange.types.ts";

/** Commands that compute ages on the client's clock, and write nothing. kubectl names its command since 1.22. */
const computesAges = /^kubectl (alpha )?(describe|events|top)\b/;
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
/** Texts of users, not times of the API. */
const texts = new Set(["annotations", "labels", "data", "stringData", "message", "args", "command", "env"]);

/** A JSON value with its times moved by `ms`. */
export function withTimesMoved(value: Loose, ms: number): Loose {
  if (typeof value === "string") {
    if (!timestamp.test(value)) return value;
    const fraction = /\.\d+Z$/.exec(value)?.[0] ?? "Z";
    return `${new Date(Date.parse(value) + ms).toISOString().slice(0, 19)}${fraction}`;
  }
  if (Array.isArray(value)) return value.map((item: Loose) => withTimesMoved(item, ms));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    texts.has(key) ? inner : withTimesMoved(inner, ms),
  ]);
  return Object.fromEntries(entries);
}

/** One JSON document, with the line's end where it is one of a watch; other bytes as they are. */
function moved(chunk: string | Uint8Array, ms: number): string | Uint8Array {
  const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8");
  try {
    return JSON.stringify(withTimesMoved(JSON.parse(text), ms)) + (text.endsWith("\n") ? "\n" : "");
  } catch {
    return chunk;
  }
}

/**
 * The response for a client of the network, whose clock is the wall clock: to a command that computes ages, times of
 * the API are sent as that clock would have shown them, so that the ages are those in cluster time. `behindMs`: how far
 * cluster time is behind the wall clock.
 */
export function inClientTime<T extends ApiResponse>(request: ApiRequest, response: T, behindMs: number): T {
  const command = request.headers["kubectl-command"];
  // Downwards: nothing may lie in the client's future.
  const ms = Math.floor(behindMs / 1000) * 1000;
  if (request.method !== "GET" || ms === 0 || typeof command !== "string" || !computesAges.test(command))
    return response;
  const { writeHead, write, end } = response;
  response.writeHead = (status, headers = {}) => {
    const { "content-length": _length, ...kept } = headers;
    return writeHead.call(response, status, kept);
  };
  response.write = (chunk) => write.call(response, moved(chunk, ms));
  response.end = (chunk) => (chunk === undefined ? end.call(response) : end.call(response, moved(chunk, ms)));
  return response;
}
