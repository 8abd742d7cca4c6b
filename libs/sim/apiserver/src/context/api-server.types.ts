import type { Logger } from "@microremed/core";
import type { AdmissionHook, ResourceType, TokenUser } from "@microremed/sim-kinds";
import type { Exec, ForwardPort, Logs, ProxyBackend, Terminal } from "@microremed/sim-machine";
import type { MetricsProvider } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import type { ServiceAccountTokens } from "../auth/service-account-tokens.ts";
import type { LocalApi } from "../http/local-api.types.ts";
import type { Identity } from "../signing/certificates.ts";

export interface RouteRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Name or address and port by which the client reached the server; empty: it did not say. */
  readonly host: string;
  readonly body: Uint8Array;
  /** Aborted when the client goes away or the server closes. */
  readonly signal: AbortSignal;
}

/** What a route of an embedder answers, in place of the API's own resources. */
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

/** What the API server asks of the rest of the cluster. */
export interface ApiServerDeps {
  readonly store: Store;
  /** Cluster time, ms since the epoch. */
  readonly now: () => number;
  readonly metrics: MetricsProvider;
  readonly exec: Exec;
  readonly forwardPort: ForwardPort;
  readonly proxy: ProxyBackend;
  readonly logs: Logs;
  /** The open stdin of a running container; undefined: it has none. */
  readonly terminal?: (target: {
    readonly namespace: string;
    readonly pod: string;
    readonly container: string;
  }) => Terminal | undefined;
  /** Why a node's kubelet can't be reached, as a dialer says it; undefined: it can. */
  readonly unreachable?: (node: string) => string | undefined;
  readonly log: Logger;
  readonly admission?: readonly AdmissionHook[];
  readonly routes?: readonly Route[];
  /** Kinds that charts have brought, with code of their own. */
  readonly installed?: readonly ResourceType[];
  readonly identity?: Identity;
  /** Users with tokens that are known before the server starts. */
  readonly users?: readonly TokenUser[];
  /** Those of pods; default: new ones. */
  readonly tokens?: ServiceAccountTokens;
}

export interface ApiServer {
  /** The same server for callers in this process, listening or not. */
  readonly local: LocalApi;
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
