import { setTimeout as delay } from "node:timers/promises";
import type { Bus } from "@microremed/bus";
import { ProbeReply, type ProbeRequest, subjects } from "@microremed/contracts";
import { AppError, retryable } from "@microremed/core";

/** Beyond the probe's own deadline: its way through the bus and the executor's queue, ms. */
const graceMs = 15_000;
/** While the bus is unreachable, within the deadline; every other error is final. */
const tries = 3;

/**
 * Has an executor run one probe command. Throws retryable `executor-unavailable` when none answers in time; an
 * executor that answers with an error has that error thrown.
 */
export async function askExecutor(
  bus: Pick<Bus, "request">,
  request: ProbeRequest,
  signal: AbortSignal,
  { firstWaitMs = 500 } = {},
): Promise<ProbeReply> {
  const subject = subjects.probe(request.arena.cluster);
  const deadline = performance.now() + request.timeoutSeconds * 1000 + graceMs;
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await bus.request(subject, request, {
        schema: ProbeReply,
        timeoutMs: deadline - performance.now(),
      });
    } catch (thrown) {
      if (!(thrown instanceof AppError) || thrown.code !== "bus-unreachable") throw thrown;
      const waitMs = firstWaitMs * 2 ** (attempt - 1);
      if (attempt >= tries || performance.now() + waitMs >= deadline) throw unavailable(request, thrown);
      await delay(waitMs, undefined, { signal });
    }
  }
}

function unavailable({ arena }: ProbeRequest, cause: AppError): AppError {
  const message = `no executor answered a probe of cluster ${arena.cluster}: ${cause.message}`;
  return retryable("executor-unavailable", message, { cluster: arena.cluster }, cause);
}
