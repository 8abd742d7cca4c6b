import { type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream";
import type { Bus, BusOptions, Handler } from "../bus.ts";
import { keepContexts } from "../trace.ts";
import { consume } from "./consume.ts";
import { createDeadLetters } from "./dead-letters.ts";
import { ensureStreams } from "./ensure-streams.ts";
import { type Link, type LinkOptions, openLink, unreachable } from "./link.ts";
import { createPublish } from "./publish.ts";
import { readEvents } from "./read-log.ts";
import { readQueues } from "./read-queues.ts";
import { request, serve } from "./rpc.ts";
import { submit } from "./submit.ts";
import { waitingSubjects } from "./waiting-subjects.ts";

/** How to reach NATS, and what wraps what passes. */
export interface NatsBusOptions extends LinkOptions, BusOptions {}

/** How long pending messages may take to leave when the bus is closed. */
const drainWithinMs = 5_000;
const submitWithinMs = 30_000;

/** Connects to NATS and reconnects for ever. Throws retryable `bus-unreachable` when the first try fails. */
export async function connectNatsBus(options: NatsBusOptions): Promise<Bus> {
  const { log, interceptors = [], outgoing = (_, send) => send(), interrupt } = options;
  keepContexts();
  const link = await openLink(options);
  const client = jetstream(link.connection);
  const manager = await openManager(link);
  const publish = createPublish(link);
  const wrap = <T, R>(handler: Handler<T, R>): Handler<T, R> =>
    interceptors.reduceRight<Handler<unknown, R>>(
      (next, interceptor) => interceptor(next),
      handler as Handler<unknown, R>,
    );

  return {
    get connected() {
      return link.connected;
    },
    ensureStreams: (options) => ensureStreams(manager, options),
    publish: (subject, body, options = {}) =>
      outgoing({ kind: "publish", subject, headers: options.headers ?? {} }, () =>
        publish(subject, body, options),
      ),
    consume: (consumer, handler) =>
      consume({ link, publish, log, manager, interrupt }, consumer, wrap(handler)),
    waitingSubjects: (stream, filter) => waitingSubjects(manager, stream, filter),
    request: (subject, body, reply) =>
      outgoing({ kind: "request", subject, headers: {} }, () => request(link, subject, body, reply)),
    serve: async (subject, queue, schema, handler) =>
      serve(link, log, subject, queue, schema, wrap(handler), interrupt),
    readEvents: (experimentId, options) =>
      readEvents({ link, jetstream: client, log }, experimentId, options),
    submit: (experiment, { timeoutMs = submitWithinMs } = {}) => submit(link, publish, experiment, timeoutMs),
    queues: () => readQueues(manager),
    deadLetters: createDeadLetters(client, manager),
    [Symbol.asyncDispose]: () => close(link),
  };
}

async function openManager(link: Link): Promise<JetStreamManager> {
  try {
    return await jetstreamManager(link.connection, { timeout: 10_000 });
  } catch (cause) {
    await link.connection.close();
    throw unreachable("reaching JetStream (start nats-server with a `jetstream` block or -js)", cause);
  }
}

async function close(link: Link): Promise<void> {
  const { connection } = link;
  if (connection.isClosed()) return;
  const timer = setTimeout(() => void connection.close(), drainWithinMs);
  await (link.connected ? connection.drain() : connection.close()).catch(() => undefined);
  clearTimeout(timer);
}
