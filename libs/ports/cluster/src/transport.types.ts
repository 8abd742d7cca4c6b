import type { ExecOptions, ExecResult, KubeconfigOptions } from "./cluster.types.ts";
import type { KubeObject } from "./kube-object.ts";

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** How one request is sent. */
export interface CallOptions {
  readonly query?: Query;
  /** Sent as JSON, which is YAML too. */
  readonly body?: unknown;
  readonly contentType?: string;
  /** Default: application/json. */
  readonly accept?: string;
  /** Wall clock, ms; default 30 s. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Sending it twice does what sending it once does; default: true for GET, PUT and DELETE. */
  readonly repeatable?: boolean;
}

/** One change of a watched object, as the API server names it: ADDED, MODIFIED, DELETED, BOOKMARK or ERROR. */
export type Seen = (type: string, object: KubeObject) => void;

/**
 * The way to one API server, whatever carries the requests. What a `Cluster` does is written once over this; a driver
 * gives this and a clock.
 */
export interface Transport {
  /** JSON answer of a 2xx. Throws `cluster-unreachable` (retryable) or `cluster-refused` (terminal, details.status). */
  call<T>(method: string, path: string, options?: CallOptions): Promise<T>;
  /** Text of a 2xx; undefined when what the API server proxies to does not answer so. Sent once. */
  read(path: string): Promise<string | undefined>;
  /** Text of a 2xx; throws as `call`. */
  text(path: string, query?: Query): Promise<string>;
  /** One watch, until it ends or the signal aborts. False: it broke off, what is known must be listed again. */
  watch(path: string, query: Query, seen: Seen, signal: AbortSignal): Promise<boolean>;
  exec(options: ExecOptions): Promise<ExecResult>;
  /** A kubeconfig with which another user reaches the same API server. */
  kubeconfigFor(access: KubeconfigOptions): Promise<string>;
  close(): void;
}
