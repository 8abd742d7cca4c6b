import { refusal, unserved } from "../cluster-errors.ts";
import { isNotAnswered } from "../not-answered.ts";
import { requestPath } from "../request-path.ts";
import { asFailure, type Destination, sendWithRetries } from "../send-with-retries.ts";
import type { CallOptions, Query, Seen, Transport } from "../transport.types.ts";
import type { AnswerInProcess, ApiInProcess } from "./api-in-process.types.ts";
import { execInProcess } from "./exec-in-process.ts";
import { originOf, renderInProcessKubeconfig, type ServedAt } from "./in-process-kubeconfig.ts";

/** The cluster's name, the harness's credentials there, and where other processes reach it. */
export interface InProcessClusterOptions {
  readonly name: string;
  /** Bearer token: whose rights the cluster has. */
  readonly token: string;
  /** Default: nowhere, so that its kubeconfigs are of use in this process alone. */
  readonly served?: ServedAt | undefined;
}

/** Requests that are function calls. What is tried again is tried after a pause in cluster time. */
export function createInProcessTransport(
  api: ApiInProcess,
  { name: cluster, token, served }: InProcessClusterOptions,
): Transport {
  const headers = {
    accept: "application/json",
    "user-agent": "microremed",
    authorization: `Bearer ${token}`,
  };
  const to: Destination = {
    cluster,
    origin: originOf(cluster),
    pause: (ms, signal) => api.clock.sleep(ms, signal),
  };

  /** A 2xx; every other answer is thrown. */
  const attempt = async (
    method: string,
    path: string,
    options: CallOptions,
    asValue = false,
  ): Promise<AnswerInProcess> => {
    const { signal, query, body, contentType = "application/json", accept = headers.accept } = options;
    signal?.throwIfAborted();
    const call = {
      method,
      path: requestPath(path, query),
      headers:
        accept === headers.accept && body === undefined
          ? headers
          : { ...headers, accept, ...(body !== undefined && { "content-type": contentType }) },
    };
    const answer =
      (asValue && api.read(call)) ||
      (await api.handle({
        ...call,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal,
        asValue,
      }));
    signal?.throwIfAborted();
    if (answer.status >= 200 && answer.status < 300) return answer;
    if (answer.status === 403) await refuseUnserved(path);
    throw refusal(cluster, method, path, answer.status, answer.body);
  };
  /** Who asks by discovery first, as kubectl does, finds no such kind and is never refused it. */
  const refuseUnserved = async (path: string): Promise<void> => {
    const [, root, group = "", version = "", ...rest] = path.split("/");
    if (root !== "apis" || rest.length === 0) return;
    const { status } = await api.handle({ method: "GET", path: `/apis/${group}/${version}`, headers });
    if (status !== 404) return;
    const [resource = ""] = rest[0] === "namespaces" ? rest.slice(2) : rest;
    throw unserved(cluster, `${group}/${version}`, resource);
  };
  const send = (
    method: string,
    path: string,
    options: CallOptions,
    asValue: boolean,
  ): Promise<AnswerInProcess> =>
    sendWithRetries(to, method, path, options, () => attempt(method, path, options, asValue));

  return {
    async call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
      const { body, value } = await send(method, path, options, true);
      return (value ?? JSON.parse(body || "null")) as T;
    },
    text: async (path, query = {}) => (await send("GET", path, { query }, false)).body,
    async read(path) {
      try {
        return (await attempt("GET", path, {})).body;
      } catch (thrown) {
        if (isNotAnswered(thrown)) return undefined;
        throw asFailure(to, "GET", path, thrown);
      }
    },
    watch: (path, query, seen, signal) =>
      watchInProcess(api, headers, requestPath(path, asWatch(query)), seen, signal),
    exec: (options) => execInProcess(api, cluster, headers, options),
    kubeconfigFor: async (access) => renderInProcessKubeconfig(access, served),
    close: () => {},
  };
}

const asWatch = (query: Query): Query => ({ ...query, watch: true });

/** Events come in the moment in which they happen, each as a line. */
async function watchInProcess(
  api: ApiInProcess,
  headers: Readonly<Record<string, string>>,
  path: string,
  seen: Seen,
  signal: AbortSignal,
): Promise<boolean> {
  let rest = "";
  const onChunk = (chunk: string): void => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "" || signal.aborted) continue;
      const { type, object } = JSON.parse(line);
      seen(type, object);
    }
  };
  const { status } = await api.handle({ method: "GET", path, headers, signal, onChunk });
  return status < 300;
}
