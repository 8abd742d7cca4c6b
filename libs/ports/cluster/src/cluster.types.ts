import type { Clock } from "@microremed/core";
import type { AgentOptions } from "./agent-objects.ts";
import type { ExecOptions, ExecResult } from "./exec-in-pod.ts";
import type { Kind, KubeObject } from "./kube-object.ts";
import type { PrometheusSeries } from "./prometheus/query-prometheus.ts";
import type { ClusterView, WaitUntilOptions } from "./wait-until.ts";

/** CPU and memory of one container as the metrics API last sampled them. */
export interface ContainerSample {
  readonly pod: string;
  readonly container: string;
  /** End of the sampled window, cluster time, ms. */
  readonly at: number;
  /** Length of the window, ms. */
  readonly windowMs: number;
  readonly cpuCores: number;
  readonly memoryBytes: number;
}

export interface Patch {
  /** How `body` is meant: RFC 7386, Kubernetes' strategic merge (not for custom resources), or RFC 6902. */
  readonly type: "merge" | "strategic" | "json";
  readonly body: unknown;
}

export interface RunAccessOptions {
  readonly concealed?: boolean;
  readonly assertHeld: () => Promise<void>;
}

export interface RunAccess extends AsyncDisposable {
  readonly kubeconfig: string;
}

/** A port of a pod or a Service, as the API server's proxy reaches it. */
export interface ProxiedServer {
  readonly kind: "pods" | "services";
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  /** Default: background. */
  readonly propagation?: "Background" | "Foreground" | "Orphan";
  /** Refused (409) unless the object is still this one, in this version. */
  readonly only?: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined };
}

/**
 * One Kubernetes cluster with the harness's rights. Every call has a deadline and throws `cluster-unreachable`
 * (retryable) or `cluster-refused` (terminal, `details.status` is the HTTP status).
 */
export interface Cluster extends AsyncDisposable {
  readonly name: string;
  readonly clock: Clock;
  /** Raw series of the cluster's Prometheus for a range selector; undefined: it has none. */
  readonly prometheus?: (query: string) => Promise<readonly PrometheusSeries[]>;
  /** `namespace` undefined for cluster-scoped kinds. Undefined: there is none of that name. */
  get<T extends KubeObject>(
    kind: Kind<T>,
    namespace: string | undefined,
    name: string,
  ): Promise<T | undefined>;
  /** Empty too when the cluster does not know the kind. */
  list<T extends KubeObject>(
    kind: Kind<T>,
    scope: { namespace?: string; labelSelector?: string },
  ): Promise<readonly T[]>;
  /** Server-side apply as the owner of the fields given. */
  apply(object: KubeObject): Promise<KubeObject>;
  create(object: KubeObject): Promise<KubeObject>;
  /** Overwrites an existing object; without resourceVersion whatever its state is. */
  replace(object: KubeObject): Promise<KubeObject>;
  patch(kind: Kind, namespace: string | undefined, name: string, patch: Patch): Promise<KubeObject>;
  /** False: it was not there. Does not wait for finalizers. */
  delete(kind: Kind, namespace: string | undefined, name: string, options?: DeleteOptions): Promise<boolean>;
  waitUntil<T>(
    options: WaitUntilOptions,
    look: (view: ClusterView) => T | undefined,
    describe?: (view: ClusterView) => string,
  ): Promise<T>;
  exec(options: ExecOptions): Promise<ExecResult>;
  /** GET of a server in the cluster through the API server's proxy; undefined: it does not answer with 2xx. */
  fetchText(from: ProxiedServer, path: string): Promise<string | undefined>;
  podMetrics(namespace: string, labelSelector?: string): Promise<readonly ContainerSample[]>;
  /** Kubeconfig (JSON, which is YAML) with a short-lived token whose rights end at the namespace. */
  agentKubeconfig(namespace: string, options: AgentOptions): Promise<string>;
  /**
   * The same for one run of a playbook alone, and whoever had such access to the arena before has none any more: for
   * where a run cannot be kept from the API server in another way once its lease is over. `assertHeld` is awaited
   * before everything that changes something. Disposing ends the access.
   */
  runAccess(namespace: string, options: RunAccessOptions): Promise<RunAccess>;
}
