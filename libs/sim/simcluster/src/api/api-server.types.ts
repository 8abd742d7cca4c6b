import type { Logger } from "@microremed/core";
import type { KubeObject, NewObject } from "../objects.ts";
import type { Store } from "../store.types.ts";
import type { TokenUser, User } from "./auth/user.ts";
import type { Identity } from "./certificates.ts";

export interface ExecRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
  /** Undefined when the client attached no stdin; ends when the client closes it. */
  readonly stdin: AsyncIterable<Uint8Array> | undefined;
  readonly tty: boolean;
  stdout(chunk: Uint8Array | string): void;
  stderr(chunk: Uint8Array | string): void;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** `error`: the command could not be started; the text is the runtime's. */
export type ExecResult = { readonly exitCode: number } | { readonly error: string };

/** Runs a command in a running container. The API server has checked that pod and container exist and run. */
export type Exec = (request: ExecRequest) => Promise<ExecResult>;

export interface ForwardRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
  /** What the client sends; ends when it closes its side. */
  readonly input: AsyncIterable<Uint8Array>;
  output(chunk: Uint8Array): void;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/**
 * Carries one TCP connection to a port inside a running pod, to its end. The text is the container runtime's when
 * nothing listens there; undefined: the connection was made.
 */
export type ForwardPort = (request: ForwardRequest) => Promise<string | undefined>;

export interface ProxyRequest {
  readonly kind: "nodes" | "pods" | "services";
  readonly namespace: string | undefined;
  readonly name: string;
  readonly port: number | undefined;
  /** With its leading slash. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** `error`: the backend could not be reached, in the words of the API server's dialler. */
export type ProxyReply =
  | { readonly status: number; readonly contentType: string; readonly body: string }
  | { readonly error: string };

/** Answers what is asked of kubelets, pods and services through the API server. */
export type ProxyBackend = (request: ProxyRequest) => Promise<ProxyReply>;

export interface LogOptions {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  /** RFC 3339. */
  readonly sinceTime?: string;
  readonly limitBytes?: number;
}

/** Text of a container's log with its line ends; with `follow` it goes on until `signal` or the container's end. */
export type Logs = (
  target: { readonly namespace: string; readonly pod: string; readonly container: string },
  options: LogOptions,
  signal: AbortSignal,
) => AsyncIterable<string> | string;

/** Usage in the units of metrics.k8s.io: cpu as `12345678n`, memory as `123456Ki`. */
export interface Usage {
  readonly cpu: string;
  readonly memory: string;
}

export interface PodMetrics {
  readonly namespace: string;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** RFC 3339. */
  readonly timestamp: string;
  /** Go duration such as `15s`. */
  readonly window: string;
  readonly containers: readonly { readonly name: string; readonly usage: Usage }[];
}

export interface NodeMetrics {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly timestamp: string;
  readonly window: string;
  readonly usage: Usage;
}

/** What metrics-server knows now; a pod without a finished measurement is left out. */
export interface MetricsProvider {
  pods(namespace: string | undefined): readonly PodMetrics[];
  nodes(): readonly NodeMetrics[];
}

export interface AdmissionRequest {
  readonly operation: "CREATE" | "UPDATE";
  readonly object: NewObject;
  /** The stored object, for UPDATE. */
  readonly old: KubeObject | undefined;
  readonly user: User;
  readonly namespace: string | undefined;
  readonly group: string;
  readonly resource: string;
}

/** A webhook, called in process. Both parts may throw StatusError; writes made straight to the store pass none. */
export interface AdmissionHook {
  readonly name: string;
  readonly group: string;
  /** Plural names; `*` matches all of the group. */
  readonly resources: readonly string[];
  /** Runs after defaulting and before validation; returns the object to go on with. */
  mutate?(request: AdmissionRequest): NewObject;
  /** Runs after validation. */
  validate?(request: AdmissionRequest): void;
}

export interface RouteRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
  /** Aborted when the client goes away or the server closes. */
  readonly signal: AbortSignal;
}

export interface RouteResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent whole; an iterable is sent chunk by chunk as it comes, headers at once. */
  readonly body: string | AsyncIterable<string>;
}

/** A route of the cluster itself beside Kubernetes' own; RBAC decides, as on every path that is no resource. */
export interface Route {
  readonly method: string;
  /** Exact path, e.g. `/microremed/clock`. */
  readonly path: string;
  handle(request: RouteRequest): Promise<RouteResponse>;
}

export interface ApiServerDeps {
  readonly store: Store;
  /** Cluster time, ms since the epoch. */
  readonly now: () => number;
  readonly metrics: MetricsProvider;
  readonly exec: Exec;
  readonly forwardPort: ForwardPort;
  readonly proxy: ProxyBackend;
  readonly logs: Logs;
  /** Why a node's kubelet can't be reached, as a dialer says it; undefined: it can. */
  readonly unreachable?: (node: string) => string | undefined;
  readonly log: Logger;
  readonly admission?: readonly AdmissionHook[];
  readonly routes?: readonly Route[];
  readonly identity?: Identity;
  /** Users with tokens that are known before the server starts. */
  readonly users?: readonly TokenUser[];
  /** Decides tokens and nothing else; the same key gives the same tokens. */
  readonly tokenKey?: string;
}

export interface ApiServer {
  /** Port 0 (the default) takes a free one; host defaults to 127.0.0.1. */
  listen(options?: { readonly port?: number; readonly host?: string }): Promise<void>;
  /** `https://127.0.0.1:port`; known after listen. */
  readonly url: string;
  readonly caPem: string;
  /** Full rights, group system:masters. */
  readonly adminToken: string;
  /** The admin's kubeconfig as YAML text. */
  kubeconfig(clusterName?: string): string;
  /**
   * The kubeconfig of a user with a client certificate of its own: RBAC decides what the name and the groups may do,
   * which at first is nothing.
   */
  userKubeconfig(
    user: { readonly name: string; readonly groups: readonly string[] },
    options?: { readonly cluster?: string; readonly namespace?: string },
  ): Promise<string>;
  registerAdmission(hook: AdmissionHook): void;
  /** A bearer token for a service account, valid for `seconds` of cluster time. Throws 404 for a missing account. */
  issueServiceAccountToken(account: {
    readonly namespace: string;
    readonly name: string;
    readonly seconds: number;
  }): { readonly token: string; readonly expiresAt: number };
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
