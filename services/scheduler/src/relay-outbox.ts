import { AppError } from "@microremed/core";
import type { ClaimedMessage } from "@microremed/state";
import type { SchedulerDeps } from "./service.types.ts";

const batch = 200;
/** A scheduler that dies holding messages delays them by this much, ms. */
export const claimMs = 15_000;

type Deps = Pick<SchedulerDeps, "bus" | "state" | "log">;

/**
 * Publishes messages that no other scheduler is publishing: what a dead scheduler left, or could not publish. Several schedulers may do
 * so at once, message ids make repeats harmless.
 */
export async function relayOutbox(deps: Deps): Promise<void> {
  for (;;) {
    const messages = await deps.state.outbox.claim({ limit: batch, claimMs });
    if (messages.length === 0) return;
    if (!(await publishClaimed(deps, messages)))
      throw new AppError("bus-unreachable", "not everything could be published");
  }
}

/** Publishes messages in their order and takes them out of the outbox. False: some stay there, for anybody to claim. */
export async function publishClaimed(deps: Deps, messages: readonly ClaimedMessage[]): Promise<boolean> {
  const published = await Promise.all(messages.map((message) => publish(deps, message)));
  const { outbox } = deps.state;
  // Not waited for: what is not deleted is published again when its claim is over, which changes nothing.
  outbox.delete(messages.filter((_, i) => published[i]).map(({ id }) => id)).catch(() => undefined);
  await outbox.release(messages.filter((_, i) => !published[i]).map(({ id }) => id));
  return !published.includes(false);
}

/** False: it stays in the outbox. */
async function publish(
  { bus, log }: Deps,
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
