import { AppError } from "@microremed/core";
import { unreachable } from "./cluster-errors.ts";
import type { CallOptions } from "./transport.types.ts";

const retryDelaysMs = [100, 300, 900];

/** Where requests go, and how time passes between two tries of one. */
export interface Destination {
  readonly cluster: string;
  readonly origin: string;
  pause(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

/** What failed, in the product's words. */
export function asFailure(
  { cluster, origin }: Destination,
  method: string,
  path: string,
  thrown: unknown,
): AppError {
  return thrown instanceof AppError ? thrown : unreachable(cluster, origin, method, path, thrown);
}

/** Sends again what may be sent again, a few times; throws AppErrors, and the signal's reason. */
export async function sendWithRetries<T>(
  to: Destination,
  method: string,
  path: string,
  { signal, repeatable = ["GET", "PUT", "DELETE"].includes(method) }: CallOptions,
  once: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await once();
    } catch (thrown) {
      signal?.throwIfAborted();
      const error = asFailure(to, method, path, thrown);
      const pause = retryDelaysMs[tries];
      const again = error.severity === "retryable" && (repeatable || neverArrived(thrown));
      if (!again || pause === undefined) throw error;
      await to.pause(error.retryAfterMs ?? pause, signal);
    }
  }
}

function neverArrived(error: unknown): boolean {
  if (error instanceof AppError) return error.details["status"] === 429;
  return error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
}
