import type { Clock } from "@microremed/core";
import type { AgentOptions } from "./agent-objects.ts";
import type { CustomResource } from "./custom-resources.ts";
import type { Kind, KubeObject } from "./kube-object.ts";

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

/** Raw samples of one series: seconds since the epoch, and the value as text. */
export interface PrometheusSeries {
  readonly metric: Readonly<Record<string, string>>;
  readonly values?: readonly (readonly [number, string])[] | undefined;
}

/** One command in a running container, with its limits. */
export interface ExecOptions {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
  /** Ms of cluster time at most; over a connection measured on the wall clock, which is never faster. */
  readonly timeoutMs: number;
  /** Of stdout and of stderr; the rest is dropped. Default 256 KiB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** How a command ended, and what it printed, each stream up to `maxBytes`. */
export interface ExecResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Which lines of a container's log. */
export interface LogOptions {
  readonly namespace: string;
  readonly pod: string;
  /** May be left out where the pod has one only. */
  readonly container?: string | undefined;
  /** Of the container before its last restart. */
  readonly previous?: boolean | undefined;
  readonly timestamps?: boolean | undefined;
  readonly tailLines?: number | undefined;
  readonly sinceSeconds?: number | undefined;
  readonly limitBytes?: number | undefined;
}

/** What `waitUntil` watches and how long. */
export interface WaitUntilOptions {
  /** What is waited for, in words. */
  readonly what: string;
  /** Cluster time, ms. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Undefined: all namespaces. */
  readonly namespace?: string;
  /** The kinds to watch; the condition sees only these. */
  readonly kinds: readonly Kind[];
  readonly labelSelector?: string;
}

/** The watched objects as they are now. */
export interface ClusterView {
  list<T extends KubeObject>(kind: Kind<T>): readonly T[];
}

/** Which objects of a kind. */
export interface ListScope {
  /** Undefined: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Objects that one request asks for; default 500. The answer is whole in any case. */
  readonly pageSize?: number;
}

/** Objects as the API server shows them in a table, which is what kubectl prints. */
export interface ObjectTable {
  /** Columns of a priority over 0 are for wide tables only. */
  readonly columns: readonly { readonly name: string; readonly priority: number }[];
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: KubeObject }[];
}

/** Credentials to put into a kubeconfig. */
export interface KubeconfigOptions {
  readonly cluster: string;
  readonly namespace: string;
  readonly user: string;
  readonly token: string;
}

/** A change to an object, in one of the forms that Kubernetes takes. */
export interface Patch {
  /** How `body` is meant: RFC 7386, Kubernetes' strategic merge (not for custom resources), or RFC 6902. */
  readonly type: "merge" | "strategic" | "json";
  readonly body: unknown;
  /** Who writes, as `managedFields` say; absent: `deployer`. */
  readonly manager?: string;
}

/**
 * For which run credentials are made. `assertHeld` throws when the run's lease is lost; `concealed`: they give no
 * rights to the objects of faults.
 */
export interface RunAccessOptions {
  readonly concealed?: boolean;
  readonly assertHeld: () => Promise<void>;
}

/** Credentials of one playbook run, as the text of a kubeconfig. Disposing it revokes them. */
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

/** How an object is deleted, as Kubernetes' DeleteOptions have it. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  /** Default: background. */
  readonly propagation?: "Background" | "Foreground" | "Orphan";
  /** Refused (409) unless the object is still this one, in this version. */
  readonly only?: { readonly uid?: string | undefined; readonly resourceVersion?: string | undefined };
}

/** Moments of a cluster to which it can go back, by name. Tokens that were issued since are worth nothing then. */
export interface Moments {
  /** The one of that name before is forgotten. */
  save(name: string): Promise<void>;
  /** Everything random is drawn again from then on, as the salt says. False: there is none of that name. */
  goBack(name: string, salt: string): Promise<boolean>;
}

/**
 * One Kubernetes cluster with the harness's rights. Every call has a deadline and throws `cluster-unreachable`
 * (retryable) or `cluster-refused` (terminal, `details.status` is the HTTP status).
 */
export interface Cluster extends AsyncDisposable {
  readonly name: string;
  readonly clock: Clock;
  /** The requests of a system's users come by themselves in its arenas; false: a system needs a load generator. */
  readonly sendsLoad: boolean;
  /** The cluster's name server is there for its only arena: faults and agents may change its Corefile. */
  readonly ownNameServer: boolean;
  /** Absent: it goes on only, as every real one. */
  readonly moments?: Moments;
  /** Raw series of the cluster's Prometheus for a range selector; undefined: it has none. */
  readonly prometheus?: (query: string) => Promise<readonly PrometheusSeries[]>;
  /** `namespace` undefined for cluster-scoped kinds. Undefined: there is none of that name. */
  get<T extends KubeObject>(
    kind: Kind<T>,
    namespace: string | undefined,
    name: string,
  ): Promise<T | undefined>;
  /** Empty too when the cluster does not know the kind. */
  list<T extends KubeObject>(kind: Kind<T>, scope: ListScope): Promise<readonly T[]>;
  /** The objects of a list, or the one of a name, as a table. Refused (404) for a name that there is not. */
  table(kind: Kind, scope: ListScope & { readonly name?: string }): Promise<ObjectTable>;
  /** Server-side apply as the owner of the fields given. */
  apply(object: KubeObject): Promise<KubeObject>;
  create(object: KubeObject): Promise<KubeObject>;
  /** Overwrites an existing object; without resourceVersion whatever its state is. */
  replace(object: KubeObject): Promise<KubeObject>;
  patch(kind: Kind, namespace: string | undefined, name: string, patch: Patch): Promise<KubeObject>;
  /** False: it was not there. Does not wait for finalizers. */
  delete(kind: Kind, namespace: string | undefined, name: string, options?: DeleteOptions): Promise<boolean>;
  /** Returns what `find` finds, as soon as it does; throws `deadline-exceeded` with what `describe` last said. */
  waitUntil<T>(
    options: WaitUntilOptions,
    find: (view: ClusterView) => T | undefined,
    describe?: (view: ClusterView) => string,
  ): Promise<T>;
  /**
   * Runs one command in a container, without a shell. Refused where the kubelet can't run it. Throws `deadline-exceeded` where it
   * does not end in time: programs of a container may hang, and the cluster be well.
   */
  exec(options: ExecOptions): Promise<ExecResult>;
  /** What a container printed, as it is now. */
  logs(options: LogOptions): Promise<string>;
  /** GET of a server in the cluster through the API server's proxy; undefined: it does not answer with 2xx. */
  fetchText(from: ProxiedServer, path: string): Promise<string | undefined>;
  /** What the API server serves besides Kubernetes' own kinds; every account may ask. */
  customResources(): Promise<readonly CustomResource[]>;
  podMetrics(namespace: string, labelSelector?: string): Promise<readonly ContainerSample[]>;
  /** Kubeconfig (JSON, which is YAML) with a short-lived token whose rights end at the namespace. */
  agentKubeconfig(namespace: string, options: AgentOptions): Promise<string>;
  /**
   * The same for one run of a playbook alone, and earlier such access to the arena ends: for
   * where a run cannot be kept from the API server in another way once its lease is over. `assertHeld` is awaited
   * before everything that changes something. Disposing ends the access.
   */
  runAccess(namespace: string, options: RunAccessOptions): Promise<RunAccess>;
}
