import { streams } from "@microremed/contracts";
import type { JetStreamManager } from "@nats-io/jetstream";
import type { Queue } from "../queue.ts";

/** The current state of every stream of the product. */
export function readQueues(manager: JetStreamManager): Promise<Queue[]> {
  return Promise.all(Object.values(streams).map(({ name }) => readQueue(manager, name)));
}

async function readQueue(manager: JetStreamManager, stream: string): Promise<Queue> {
  const { state, config } = await manager.streams.info(stream);
  const consumers: Queue["consumers"][number][] = [];
  // Consumers of events and dead letters are short-lived, and no work depends on them.
  if (config.retention === "workqueue") {
    for await (const { name, config, delivered, num_pending, num_ack_pending } of manager.consumers.list(
      stream,
    )) {
      consumers.push({
        name,
        subject: config.filter_subject ?? ">",
        waiting: num_pending,
        deliveries: delivered.consumer_seq,
        unacknowledged: num_ack_pending,
      });
    }
  }
  return { stream, messages: state.messages, bytes: state.bytes, limitBytes: config.max_bytes, consumers };
}
