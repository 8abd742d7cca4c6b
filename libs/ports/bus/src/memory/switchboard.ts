import type { Timers } from "../timers.ts";
import type { Headers, Incoming, Subscription, Transport } from "../transport.ts";
import { takes } from "./filters.ts";

/** Messages that are not stored: who subscribes to what, and requests that wait for an answer. */
export interface Switchboard {
  /** Requests that wait for their answer. */
  readonly waiting: number;
  /** Whether anybody listens who is in no queue. */
  readonly isWatched: boolean;
  post(subject: string, data: Uint8Array): void;
  request(
    subject: string,
    data: Uint8Array,
    options: { readonly headers: Headers; readonly timeoutMs: number },
  ): ReturnType<Transport["request"]>;
  subscribe: Transport["subscribe"];
}

interface Subscriber {
  readonly subject: string;
  readonly queue: string | undefined;
  readonly onMessage: (message: Incoming) => void;
}

const encoder = new TextEncoder();

export function createSwitchboard(timers: Timers): Switchboard {
  const subscribers = new Set<Subscriber>();
  let waiting = 0;
  let requests = 0;
  let watchers = 0;

  /** One of each queue, and all who are in none. Who is taken of a queue goes to the end of its line. */
  const receiversOf = (subject: string): Subscriber[] => {
    const receivers: Subscriber[] = [];
    const queues = new Set<string>();
    for (const subscriber of [...subscribers]) {
      const { queue } = subscriber;
      if (!takes(subscriber.subject, subject) || (queue !== undefined && queues.has(queue))) continue;
      receivers.push(subscriber);
      if (queue === undefined) continue;
      queues.add(queue);
      subscribers.delete(subscriber);
      subscribers.add(subscriber);
    }
    return receivers;
  };
  const send = (receivers: readonly Subscriber[], message: Incoming): void => {
    for (const receiver of receivers) {
      setImmediate(() => subscribers.has(receiver) && receiver.onMessage(message));
    }
  };

  return {
    get waiting() {
      return waiting;
    },
    get isWatched() {
      return watchers > 0;
    },
    post: (subject, data) =>
      send(receiversOf(subject), { subject, data, headers: {}, replyTo: "", respond: () => {} }),
    request: async (subject, data, { headers, timeoutMs }) => {
      const receivers = receiversOf(subject);
      if (receivers.length === 0) throw new Error(`no responders: '${subject}'`);
      const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Transport["request"]>>>();
      const cancel = timers.after(timeoutMs, () => reject(new Error("timeout")));
      const respond: Incoming["respond"] = (text, replyHeaders) =>
        resolve({ data: encoder.encode(text), headers: lowerCased(replyHeaders) });
      waiting++;
      send(receivers, { subject, data, headers, replyTo: `_INBOX.request.${++requests}`, respond });
      return promise.finally(() => {
        waiting--;
        cancel();
      });
    },
    subscribe: (subject, queue, onMessage): Subscription => {
      const subscriber = { subject, queue, onMessage };
      const ended = Promise.withResolvers<void>();
      subscribers.add(subscriber);
      if (queue === undefined) watchers++;
      const unsubscribe = (): void => {
        if (subscribers.delete(subscriber) && queue === undefined) watchers--;
        ended.resolve();
      };
      // What was sent before is let in first.
      const drain = () => new Promise<void>((resolve) => setImmediate(resolve)).then(unsubscribe);
      return { begun: async () => {}, ended: ended.promise, drain, unsubscribe };
    },
  };
}

/** Headers as they arrive. */
export function lowerCased(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
