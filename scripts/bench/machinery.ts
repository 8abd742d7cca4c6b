import type { Stack } from "@microremed/stack";
import { jetstream, jetstreamManager, RetentionPolicy } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { type StreamSpec, streams } from "../../libs/contracts/src/index.ts";
import type { Benchmark } from "./benchmark.ts";
import { median } from "./median.ts";
import { type StubRange, startStubRange } from "./stub-range.ts";

const rounds = 5;
const episodes = 500;
const warmUp = 300;
const inFlight = 64;
/** Bytes of a message, about the mean of commands, results and events. */
const bodyBytes = 450;
const duplicateWindow = 600e9;

/** What a round of episodes is on the streams. */
interface Traffic {
  readonly published: number;
  /** Messages that are taken from a work queue and acknowledged. */
  readonly consumed: number;
}

/** Seconds of wall clock and of CPU. */
interface Cost {
  readonly wall: number;
  /** Of the clients: scheduler and stages, or the one that replaces them. */
  readonly clients: number;
  readonly servers: number;
}

/**
 * Both sides use the same NATS server, its file storage, streams of the same kinds with the same window for duplicates,
 * as many messages of about the same size and as many in flight; rounds of both alternate, so that what else the
 * machine does meets both. The raw side is one process with one connection that does nothing else.
 */
export const machinery: Benchmark = {
  name: "machinery",
  description: "episodes with stub stages against raw JetStream publish + ack of as many messages",
  run: async () => {
    await using range = await startStubRange();
    await range.measure(warmUp);
    const found: { own: Cost; raw: Cost; traffic: Traffic }[] = [];
    for (let round = 0; round < rounds; round++) {
      const before = await lastSequences(range.stack);
      const {
        seconds: wall,
        serviceCpuSeconds: clients,
        serverCpuSeconds: servers,
      } = await range.measure(episodes);
      const traffic = difference(before, await lastSequences(range.stack));
      const raw = await rawJetStream(range, traffic);
      found.push({ own: { wall, clients, servers }, raw, traffic });
    }
    const of = (value: (one: (typeof found)[number]) => number): number => median(found.map(value));
    const ms = 1000 / episodes;
    return [
      { what: "messages per episode", value: of(({ traffic }) => traffic.published) / episodes, unit: "" },
      { what: "episodes per second", value: episodes / of(({ own }) => own.wall), unit: "1/s" },
      { what: "raw JetStream, the same messages", value: episodes / of(({ raw }) => raw.wall), unit: "1/s" },
      {
        what: "ratio of the times, machinery / raw",
        value: of(({ own, raw }) => own.wall / raw.wall),
        unit: "",
      },
      {
        what: "ratio of the CPU times, machinery / raw",
        value: of(({ own, raw }) => (own.clients + own.servers) / (raw.clients + raw.servers)),
        unit: "",
      },
      {
        what: "CPU per episode, scheduler and stub stages",
        value: ms * of(({ own }) => own.clients),
        unit: "ms",
      },
      { what: "CPU per episode, NATS and Redis", value: ms * of(({ own }) => own.servers), unit: "ms" },
      { what: "CPU per episode, raw: its client", value: ms * of(({ raw }) => raw.clients), unit: "ms" },
      { what: "CPU per episode, raw: NATS", value: ms * of(({ raw }) => raw.servers), unit: "ms" },
    ];
  },
};

async function lastSequences(stack: Stack): Promise<Traffic> {
  const connection = await connectTo(stack);
  const manager = await jetstreamManager(connection);
  const sent = async (...of: readonly StreamSpec[]): Promise<number> => {
    const infos = await Promise.all(of.map(({ name }) => manager.streams.info(name)));
    return infos.reduce((sum, { state }) => sum + state.last_seq, 0);
  };
  const { injector, remediator, executor, verifier, results, events } = streams;
  const consumed = await sent(injector, remediator, executor, verifier, results);
  const published = consumed + (await sent(events));
  await connection.close();
  return { published, consumed };
}

function difference(before: Traffic, after: Traffic): Traffic {
  return { published: after.published - before.published, consumed: after.consumed - before.consumed };
}

function connectTo({ natsUrl, natsPasswords }: Stack) {
  return connect({ servers: natsUrl, user: "admin", pass: natsPasswords.admin, noAsyncTraces: true });
}

/** Publishes with confirmation, and takes and acknowledges what would be taken, both as fast as one process can. */
async function rawJetStream(range: StubRange, { published, consumed }: Traffic): Promise<Cost> {
  const connection = await connectTo(range.stack);
  const manager = await jetstreamManager(connection);
  const common = { storage: "file", duplicate_window: duplicateWindow } as const;
  await manager.streams.add({
    ...common,
    name: "RAWQ",
    subjects: ["rawq.>"],
    retention: RetentionPolicy.Workqueue,
  });
  await manager.streams.add({
    ...common,
    name: "RAWE",
    subjects: ["rawe.>"],
    retention: RetentionPolicy.Limits,
  });
  await manager.consumers.add("RAWQ", {
    durable_name: "raw",
    ack_policy: "explicit",
    max_ack_pending: 10_000,
  });
  const client = jetstream(connection);
  const body = JSON.stringify({ episode: "x".repeat(bodyBytes) });
  const serversBefore = range.serverCpuSeconds();
  const clientBefore = process.cpuUsage();
  const startedAt = performance.now();
  const consuming = (async () => {
    const consumer = await client.consumers.get("RAWQ", "raw");
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
      const subject = number < consumed ? "rawq" : "rawe";
      await client.publish(`${subject}.${number % 12}`, body, { msgID: `raw-${number}` });
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  await consuming;
  const wall = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(clientBefore);
  const servers = range.serverCpuSeconds() - serversBefore;
  await Promise.all(["RAWQ", "RAWE"].map((name) => manager.streams.delete(name)));
  await connection.close();
  return { wall, clients: (user + system) / 1e6, servers };
}
