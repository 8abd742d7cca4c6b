import type { Bus, BusOptions, Handler } from "./bus.ts";
import { consume } from "./consume.ts";
import { createDeadLetters } from "./create-dead-letters.ts";
import { createGracePeriod } from "./grace-period.ts";
import { createPublish } from "./publish.ts";
import { readEvents } from "./read-events.ts";
import { request, serve } from "./rpc.ts";
import { submit } from "./submit.ts";
import { keepContexts } from "./trace.ts";
import type { Transport } from "./transport.ts";
import { unreachable } from "./unreachable.ts";
import { watchEvents } from "./watch-events.ts";

/**
 * Until the scheduler accepts or refuses a request, unless the caller says otherwise. Planning a large suite takes seconds of
 * CPU, which is a minute on a busy machine.
 */
const submitWithinMs = 120_000;
/** Subjects with waiting messages that are named at most. */
const mostSubjects = 1_000;

/** The bus over a driver: whatever does not depend on how bytes travel. */
export function createBus(transport: Transport, options: BusOptions): Bus {
  const { log, interceptors = [], outgoing = (_, send) => send(), interrupt } = options;
  keepContexts();
  const publish = createPublish(transport);
  const gracePeriod = () => createGracePeriod(transport.timers, interrupt);
  const wrap = <T, R>(handler: Handler<T, R>): Handler<T, R> =>
    interceptors.reduceRight<Handler<unknown, R>>(
      (next, interceptor) => interceptor(next),
      handler as Handler<unknown, R>,
    );
  const saying =
    (doing: string) =>
    (cause: unknown): never => {
      throw unreachable(doing, cause);
    };

  return {
    get connected() {
      return transport.connected;
    },
    ensureStreams: (options = {}) => transport.ensureStreams(options),
    publish: (subject, body, options = {}) =>
      outgoing({ kind: "publish", subject, headers: options.headers ?? {} }, () =>
        publish(subject, body, options),
      ),
    consume: (consumer, handler) =>
      consume({ transport, publish, log, grace: gracePeriod() }, consumer, wrap(handler)),
    waitingSubjects: async (stream, filter) => {
      const doing = `reading the subjects of ${stream}`;
      const subjects = await transport.waitingSubjects(stream, filter).catch(saying(doing));
      return subjects.slice(0, mostSubjects);
    },
    request: (subject, body, reply) =>
      outgoing({ kind: "request", subject, headers: {} }, () => request(transport, subject, body, reply)),
    serve: async (subject, queue, schema, handler) =>
      serve({ transport, log, grace: gracePeriod() }, subject, queue, schema, wrap(handler)),
    readEvents: (experimentId, options) => readEvents({ transport, log }, experimentId, options),
    watchEvents: (onEvent) => watchEvents({ transport, log }, onEvent),
    submit: (experiment, { timeoutMs = submitWithinMs } = {}) =>
      submit(transport, publish, experiment, timeoutMs),
    queues: () => transport.queues().catch(saying("reading what waits in the streams")),
    deadLetters: createDeadLetters(transport),
    [Symbol.asyncDispose]: () => transport.close(),
  };
}
