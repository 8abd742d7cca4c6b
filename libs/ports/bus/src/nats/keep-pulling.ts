import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "@microremed/core";
import type { JetStreamManager } from "@nats-io/jetstream";
import type { ConsumerSpec, PullOptions } from "../transport.ts";
import { ensureConsumer } from "./ensure-consumer.ts";
import type { Link } from "./link.ts";
import { dropIfAhead, settleLostMessages } from "./mend-consumer.ts";
import { pullMessages } from "./pull.ts";

/** Longest pause between two tries to pull, ms. */
const pauseMs = 5_000;
/** Pulling that went well for so long has recovered from what failed before, ms. */
const calmMs = 10_000;
/** How often each consumer is checked for what a crashed server has left of it, ms. */
const mendEveryMs = 30_000;

export interface PullDeps {
  readonly link: Link;
  readonly manager: JetStreamManager;
  readonly log: Logger;
}

/** Pulls a consumer's messages until `stopping` is aborted, whatever fails meanwhile. */
export async function keepPulling(
  deps: PullDeps,
  consumer: ConsumerSpec,
  options: PullOptions,
): Promise<void> {
  const { link, manager, log } = deps;
  const { stopping } = options;
  const { subject } = consumer;
  const stop = rejectedBy(stopping);
  mendNowAndThen(deps, consumer, stopping);
  for (let failures = 0; !stopping.aborted; ) {
    const startedAt = performance.now();
    try {
      await Promise.race([link.whenConnected(pauseMs), stop]);
      await pullMessages(link, consumer, options);
    } catch (error) {
      if (stopping.aborted) return;
      failures = performance.now() - startedAt > calmMs ? 1 : failures + 1;
      log.warn({ subject, error: String(error) }, "pulling messages failed; trying again");
      const pause = delay(Math.min(pauseMs, 50 * 2 ** failures), undefined, { signal: stopping });
      await pause.catch(() => undefined);
      // The consumer itself may be gone, e.g. with the data of a server that was replaced.
      const again = link.whileConnected(ensureConsumer(manager, consumer));
      await Promise.race([again, stop]).catch(() => undefined);
    }
  }
}

function mendNowAndThen(deps: PullDeps, consumer: ConsumerSpec, stopping: AbortSignal): void {
  const { stream, name } = consumer;
  let floor: number | undefined;
  const mend = async (): Promise<void> => {
    if (!deps.link.connected) return;
    if (await dropIfAhead(deps, stream, name)) await ensureConsumer(deps.manager, consumer);
    else floor = await settleLostMessages(deps, stream, name, floor);
  };
  // One that fails is followed by the next; whether NATS answers is reported elsewhere.
  const timer = setInterval(() => void mend().catch(() => undefined), mendEveryMs).unref();
  stopping.addEventListener("abort", () => clearInterval(timer), { once: true });
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  return promise;
}
