import type { Attempted } from "@microremed/sim-machine";

export const refused = (elapsedMs: number): Attempted => ({
  ok: false,
  elapsedMs,
  error: "connection refused",
});
export const timedOut = (timeoutMs: number, what: string): Attempted => ({
  ok: false,
  elapsedMs: timeoutMs,
  error: `${what} timed out`,
});
export const unknownHost = (host: string): Attempted => ({
  ok: false,
  elapsedMs: 1,
  error: `lookup ${host}: no such host`,
});
