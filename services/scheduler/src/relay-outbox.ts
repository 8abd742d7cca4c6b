import { AppError } from "@microremed/core";
import type { ClaimedMessage } from "@microremed/state";
import type { SchedulerDeps } from "./scheduler.types.ts";

const batch = 200;
/** A relay that dies holding messages delays them by this much, ms. */
const claimMs = 15_000;

/** Publishes what is in the outbox, in its order; several schedulers may do so at once, message ids make repeats harmless. */
export async function relayOutbox(deps: Pick<SchedulerDeps, "bus" | "state" | "log">): Promise<void> {
  for (;;) {
    const messages = await deps.state.outbox.claim({ limit: batch, claimMs });
    if (messages.length === 0) return;
    const published = await Promise.all(messages.map((message) => publish(deps, message)));
    await deps.state.outbox.delete(messages.filter((_, i) => published[i]).map(({ id }) => id));
    await deps.state.outbox.release(messages.filter((_, i) => !published[i]).map(({ id }) => id));
    if (published.includes(false)) throw new AppError("bus-unreachable", "not everything could be published");
  }
}

/** False: it stays in the outbox. */
async function publish(
  { bus, log }: Pick<SchedulerDeps, "bus" | "log">,
  { subject, body, msgId, headers }: ClaimedMessage,
): Promise<boolean> {
  try {
    await bus.publish(subject, body, { msgId, headers });
    return true;
  } catch (thrown) {
    const error = AppError.from(thrown);
    if (error.severity === "retryable") return false;
    // It will never be right; keeping it would only keep it coming. The stage's deadline ends an episode that waits for it.
    log.error(
      { subject, msg_id: msgId, error_code: error.code, error_message: error.message },
      "a message is dropped",
    );
    return true;
  }
}
