import { isRefused, refusal } from "../cluster-errors.ts";
import { requestPath } from "../request-path.ts";
import type { CallOptions, Transport } from "../transport.types.ts";
import type { ApiRequests } from "./api-requests.ts";
import { beforeAbort } from "./before-abort.ts";

/** As many as an embedded cluster answers at once. */
const mostPaths = 100;
/** Longer ones are sent alone. */
const longestPath = 8 * 1024;
const clockPath = /\/microremed\/clock\/?$/;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface Read {
  readonly path: string;
  /** Undefined: to be sent alone. */
  readonly resolve: (answer: Answer | undefined) => void;
}

/** Where the cluster that serves this clock answers several reads at once; undefined: it does not. */
export function readsPathOf(clock: string | undefined): string | undefined {
  if (clock === undefined) return undefined;
  const { pathname } = new URL(clock);
  return clockPath.test(pathname) ? pathname.replace(clockPath, "/microremed/reads") : undefined;
}

/**
 * The same requests, but GETs of objects and lists that begin in one turn of the event loop travel as one request. Each
 * ends as it would alone. What one request could not answer is sent alone: all of them where it fails, and from then on
 * every one where the cluster has no such path, or none for this user.
 */
export function readTogether(
  cluster: string,
  { call }: Pick<ApiRequests, "call">,
  readsPath: string,
): Transport["call"] {
  const round = createRound(call, readsPath);
  return async <T>(method: string, path: string, options: CallOptions = {}): Promise<T> => {
    const { query, signal } = options;
    signal?.throwIfAborted();
    const full = requestPath(path, query);
    if (method === "GET" && isPlain(options) && full.length <= longestPath) {
      const read = round(full);
      const answer = await (signal ? beforeAbort(read, signal) : read);
      const status = answer?.status ?? 0;
      if (status >= 200 && status < 300) return answer?.body as T;
      if (isFinal(status)) throw refusal(cluster, method, path, status, JSON.stringify(answer?.body));
    }
    return call<T>(method, path, options);
  };
}

/** Nothing but what and until when. */
function isPlain({ accept, body, timeoutMs, repeatable }: CallOptions): boolean {
  return [accept, body, timeoutMs, repeatable].every((one) => one === undefined);
}

/** Other refusals pass, or may be of the round and not of the read. */
function isFinal(status: number): boolean {
  return status > 400 && status < 500 && status !== 413 && status !== 429;
}

/** A function that adds a read to the next round. */
function createRound(call: ApiRequests["call"], readsPath: string) {
  let waiting: Read[] = [];
  let isServed = true;

  const send = async (reads: readonly Read[]): Promise<void> => {
    const answers = reads.length > 1 && isServed ? await ask(reads) : [];
    for (const [index, { resolve }] of reads.entries()) resolve(answers[index]);
  };
  const ask = async (reads: readonly Read[]): Promise<readonly Answer[]> => {
    try {
      const body = { paths: reads.map(({ path }) => path) };
      const { answers } = await call<{ answers: readonly Answer[] }>("POST", readsPath, { body });
      return Array.isArray(answers) && answers.length === reads.length ? answers : [];
    } catch (error) {
      if ([403, 404, 405].some((status) => isRefused(error, status))) isServed = false;
      return [];
    }
  };
  const sendAll = (): void => {
    const reads = waiting;
    waiting = [];
    for (let from = 0; from < reads.length; from += mostPaths) void send(reads.slice(from, from + mostPaths));
  };

  return (path: string): Promise<Answer | undefined> => {
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
    waiting.push({ path, resolve });
    if (waiting.length === 1) setImmediate(sendAll);
    return promise;
  };
}
