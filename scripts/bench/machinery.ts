import type { Stack } from "@microremed/stack";
import { jetstream, jetstreamManager, RetentionPolicy } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import type { Benchmark } from "./benchmark.ts";
import { startStubRange } from "./stub-range.ts";

const episodes = 1_000;
const warmUp = 200;
const inFlight = 64;

/** What one episode in the bench is on average, counted on the streams themselves. */
interface Traffic {
  readonly published: number;
  /** Those that somebody takes from a work queue and acknowledges. */
  readonly consumed: number;
}

export const machinery: Benchmark = {
  name: "machinery",
  description: "episodes with stub stages against raw JetStream publish + ack of as many messages",
  run: async () => {
    await using range = await startStubRange();
    await range.measure(warmUp);
    const before = await lastSequences(range.stack);
    const measured = await range.measure(episodes);
    const traffic = difference(before, await lastSequences(range.stack));
    const rawSeconds = await rawJetStream(range.stack, traffic);
    return [
      { what: "messages per episode", value: traffic.published / episodes, unit: "" },
      { what: "episodes per second", value: episodes / measured.seconds, unit: "1/s" },
      { what: "raw JetStream, the same messages", value: episodes / rawSeconds, unit: "1/s" },
      { what: "ratio of the times, machinery / raw", value: measured.seconds / rawSeconds, unit: "" },
      {
        what: "CPU per episode, scheduler and stub stages",
        value: (measured.serviceCpuSeconds / episodes) * 1000,
        unit: "ms",
      },
      {
        what: "CPU per episode, NATS and Redis",
        value: (measured.serverCpuSeconds / episodes) * 1000,
        unit: "ms",
      },
    ];
  },
};

const queues = ["COMMANDS", "RESULTS"];

async function lastSequences(stack: Stack): Promise<Traffic> {
  const connection = await connectTo(stack);
  const manager = await jetstreamManager(connection);
  const seqs = await Promise.all(
    [...queues, "EVENTS"].map(async (name) => (await manager.streams.info(name)).state.last_seq),
  );
  await connection.close();
  const [commands = 0, results = 0, events = 0] = seqs;
  return { published: commands + results + events, consumed: commands + results };
}

function difference(before: Traffic, after: Traffic): Traffic {
  return { published: after.published - before.published, consumed: after.consumed - before.consumed };
}

function connectTo({ natsUrl, natsUser, natsPassword }: Stack) {
  return connect({ servers: natsUrl, user: natsUser, pass: natsPassword });
}

/** Publishes with confirmation, and takes and acknowledges what would be taken, both as fast as one process can. */
async function rawJetStream(stack: Stack, { published, consumed }: Traffic): Promise<number> {
  const connection = await connectTo(stack);
  const manager = await jetstreamManager(connection);
  await manager.streams.add({ name: "RAW", subjects: ["raw.>"], retention: RetentionPolicy.Limits });
  await manager.consumers.add("RAW", {
    durable_name: "raw",
    ack_policy: "explicit",
    max_ack_pending: 10_000,
  });
  const client = jetstream(connection);
  const body = JSON.stringify({ episode: "x".repeat(600) });
  const startedAt = performance.now();
  const consuming = (async () => {
    const consumer = await client.consumers.get("RAW", "raw");
    const messages = await consumer.consume({ max_messages: 500 });
    let count = 0;
    for await (const message of messages) {
      message.ack();
      if (++count >= consumed) messages.stop();
    }
  })();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < published) {
      const number = next++;
      await client.publish(`raw.${number % 12}`, body, { msgID: `raw-${number}` });
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  await consuming;
  const seconds = (performance.now() - startedAt) / 1000;
  await manager.streams.delete("RAW");
  await connection.close();
  return seconds;
}
