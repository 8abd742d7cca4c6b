import type { Logger } from "@microremed/core";
import type { JetStreamManager } from "@nats-io/jetstream";
import type { Link } from "./link.ts";

export interface MendConsumerDeps {
  readonly link: Pick<Link, "connection" | "turn">;
  readonly manager: Pick<JetStreamManager, "consumers" | "streams">;
  readonly log: Logger;
}

/** So many at most in one check. */
const most = 1_000;

/**
 * A nats-server 2.9 whose disk was full may have lost the latest messages of a stream, but not what its consumer knows:
 * the next ones get the numbers of those again, which it takes for delivered. True: the consumer was dropped, to be made
 * again; it then delivers all that the stream has.
 */
export async function dropIfAhead(
  { manager, log }: MendConsumerDeps,
  stream: string,
  consumer: string,
): Promise<boolean> {
  // In this order: what has been delivered had been stored before.
  const { delivered } = await manager.consumers.info(stream, consumer);
  const { state } = await manager.streams.info(stream);
  if (delivered.stream_seq <= state.last_seq) return false;
  log.warn(
    { stream, consumer, delivered: delivered.stream_seq, last: state.last_seq },
    "a consumer is ahead of its stream, which has lost messages; it is recreated",
  );
  await manager.consumers.delete(stream, consumer);
  return true;
}

/**
 * A nats-server 2.9 that was killed may come back with a consumer that still waits for messages to be settled which its
 * stream has forgotten as settled. It can't deliver them again, and each takes a place among those in flight, for good:
 * where a few are allowed nothing moves any more. This settles them. A message counts as lost if it is the first one that
 * is not settled, and the stream has it neither now nor at the last check.
 *
 * `floor`: what the last check returned; undefined at the first one.
 */
export async function settleLostMessages(
  { link, manager, log }: MendConsumerDeps,
  stream: string,
  consumer: string,
  floor: number | undefined,
): Promise<number> {
  let found = 0;
  for (let last = floor; ; found++) {
    const { ack_floor, num_ack_pending } = await manager.consumers.info(stream, consumer);
    const { stream_seq: settled, consumer_seq: delivery } = ack_floor;
    // The one behind a lost message may be lost, too.
    const isStuck = found > 0 ? settled !== last : settled === last;
    const seq = settled + 1;
    const isLost =
      isStuck && num_ack_pending > 0 && (await manager.streams.getMessage(stream, { seq })) === null;
    if (!isLost || found >= most) {
      if (found > 0 && settled !== floor)
        log.warn({ stream, consumer, found }, "deliveries of messages that are gone were settled");
      return settled;
    }
    await link.turn();
    link.connection.publish(`$JS.ACK.${stream}.${consumer}.1.${seq}.${delivery + 1}.0.0`, "+ACK");
    await link.connection.flush();
    last = settled;
  }
}
