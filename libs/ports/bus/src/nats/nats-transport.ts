import type { Logger } from "@microremed/core";
import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import { createInbox } from "@nats-io/nats-core";
import { wallTimers } from "../timers.ts";
import type { NewMessage, Transport } from "../transport.ts";
import { createSendConfirmed } from "./confirmed.ts";
import { ensureConsumer } from "./ensure-consumer.ts";
import { ensureStreams } from "./ensure-streams.ts";
import { natsHeaders, plainHeaders } from "./headers.ts";
import { keepPulling } from "./keep-pulling.ts";
import { type Link, persist } from "./link.ts";
import { readQueues } from "./read-queues.ts";
import { readStream } from "./read-stream.ts";
import { deleteStored, getStored } from "./stored-messages.ts";
import { subscribe } from "./subscribe.ts";

/** From asking to publish to the server's confirmation, ms; a lost connection may come back meanwhile. */
const storeWithinMs = 15_000;
/** How long pending messages may take to leave when the bus is closed. */
const drainWithinMs = 5_000;
/** What a server takes unless it says otherwise, bytes. */
const usualMaxPayload = 2 ** 20;

export interface NatsDeps {
  readonly link: Link;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
  readonly log: Logger;
}

/** The bus's bytes over one connection to NATS. */
export function createNatsTransport(deps: NatsDeps): Transport {
  const { link, manager } = deps;
  const { connection } = link;
  return {
    get connected() {
      return link.connected;
    },
    get maxBytes() {
      return connection.info?.max_payload ?? usualMaxPayload;
    },
    timers: wallTimers,
    whenConnected: (timeoutMs) => link.whenConnected(timeoutMs),
    ensureStreams: (options) => ensureStreams(manager, options),
    store: createStore(link),
    ensureConsumer: (consumer) => ensureConsumer(manager, consumer),
    pull: (consumer, options) => keepPulling(deps, consumer, options),
    read: (stream, filter, options) => readStream(deps, stream, filter, options),
    get: (stream, seq) => getStored(manager, stream, seq),
    delete: (stream, seq) => deleteStored(manager, stream, seq),
    waitingSubjects: async (stream, filter) => {
      const { state } = await manager.streams.info(stream, { subjects_filter: filter });
      return Object.keys(state.subjects ?? {});
    },
    queues: () => readQueues(manager),
    post: (subject, text) => connection.publish(subject, text),
    request: async (subject, text, { headers, timeoutMs }) => {
      await link.whenConnected(timeoutMs);
      const options = { timeout: timeoutMs, headers: natsHeaders(headers) };
      const reply = await connection.request(subject, text, options);
      return { headers: plainHeaders(reply.headers), data: reply.data };
    },
    subscribe: (subject, queue, onMessage) => subscribe(link, subject, queue, onMessage),
    createInbox: () => createInbox(link.inboxPrefix),
    close: () => close(link),
  };
}

/** A message with an id is sent again when its confirmation got lost with the connection; one without is not. */
function createStore(link: Link): (message: NewMessage) => Promise<void> {
  const send = createSendConfirmed(link);
  return async ({ subject, text, headers, msgId }) => {
    const all = natsHeaders(headers);
    await link.turn();
    if (msgId !== undefined) return persist(link, storeWithinMs, () => send(subject, text, all));
    await link.whenConnected(storeWithinMs);
    await link.whileConnected(send(subject, text, all));
  };
}

async function close(link: Link): Promise<void> {
  const { connection } = link;
  if (connection.isClosed()) return;
  const timer = setTimeout(() => void connection.close(), drainWithinMs);
  await (link.connected ? connection.drain() : connection.close()).catch(() => undefined);
  clearTimeout(timer);
}
