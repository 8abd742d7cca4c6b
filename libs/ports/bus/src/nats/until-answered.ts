import { TimeoutError } from "@nats-io/nats-core";

/** How long a service that starts waits for the server's answers, ms. A busy machine can need more than one try's 5 s. */
const answeredWithinMs = 60_000;

/**
 * Asks the server again for as long as it doesn't answer in time: only for requests that may be repeated. Throws what the
 * request threw: any other error at once, a `TimeoutError` after `withinMs`.
 */
export async function untilAnswered<T>(ask: () => Promise<T>, withinMs = answeredWithinMs): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof TimeoutError) || performance.now() > deadline) throw error;
    }
  }
}
