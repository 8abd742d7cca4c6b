import type { User } from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import type { Passwords } from "@microremed/servers";
import type { ServiceName } from "./service-names.ts";

/**
 * The embedded clusters of a stack. Each holds one arena, so that every arena has a clock of its own. Several share a
 * process with the services that work on them.
 */
export interface EmbeddedClusters {
  /** Names of the environments whose programs the clusters can run; the additional one is always among them. */
  readonly environments: readonly string[];
  readonly count: number;
  /** Processes for them. Default: as many as the machine has cores, at most one for each cluster. */
  readonly hosts?: number;
  /** Cluster seconds per second while a client of the network waits for a cluster. */
  readonly timeScale: number;
  readonly seed: number;
}

/** Environment variables by name. */
export type Variables = Readonly<Record<string, string>>;

/** What a local range is made of. Only `clusters` is needed. */
export interface StackOptions {
  /** Embedded clusters to start, or the path of a clusters file that registers existing ones. */
  readonly clusters: EmbeddedClusters | string;
  /**
   * How many processes of each service. Default: one; but the injector, the executor and the verifier run in the processes
   * of the embedded clusters, if there are any, unless this, `mains` or a function as `variables` asks for processes of
   * their own.
   */
  readonly replicas?: Partial<Readonly<Record<ServiceName, number>>>;
  /** Gateways to start, one for each port; 0: any free one. Default: none. */
  readonly gatewayPorts?: readonly number[];
  /** Programs (paths) that replace services. Default: the services themselves. */
  readonly mains?: Partial<Readonly<Record<ServiceName, string>>>;
  /** The user of services at NATS and Redis, for programs that replace several. Default: their own. */
  readonly users?: Partial<Readonly<Record<ServiceName, User>>>;
  /** Environment variables of the services beyond those that a stack gives them; a function gets these and the process's name. */
  readonly variables?: Variables | ((name: string, given: Variables) => Promise<Variables>);
  /** Where state and logs go; kept when given. Default: a temporary directory, removed at the end. */
  readonly dir?: string;
  /** Keep the temporary directory too. */
  readonly keep?: boolean;
  /** An environment's folder that is registered beside the built-in ones, or replaces the one of its name. */
  readonly environmentFolder?: string;
  /** Folders with catalogue entries of the user's own; the services run their code. Default: CATALOGUE_DIRS. */
  readonly catalogueDirs?: readonly string[];
  /** Path of the models file. Default: what MICROREMED_MODELS_FILE names, if anything. */
  readonly modelsFile?: string;
  /** Level of the services' logs. Default: info. */
  readonly logLevel?: string;
  readonly log: Logger;
  /** Aborted while the stack starts: what has been started is stopped again and the reason thrown. */
  readonly signal?: AbortSignal;
}

/** How to connect to a stack: also the content of its `stack.json`. */
export interface StackAccess {
  readonly natsUrl: string;
  /** The client's, who may do what the command line does. */
  readonly natsUser: "client";
  readonly natsPassword: string;
  /** All users' passwords. */
  readonly natsPasswords: Passwords;
  /** With the admin's password: for reading everything. */
  readonly redisUrl: string;
  readonly redisPasswords: Passwords;
  readonly clustersFile: string;
  readonly referenceModelsUrl: string;
  /** Directory of additional environment files, if there are any. */
  readonly environmentsDir?: string;
}

/** A service in a process; several may share it. `pid` is undefined while the process is started again after its death. */
export interface StackService {
  readonly name: string;
  readonly pid: number | undefined;
  readonly logFile: string;
  readonly healthUrl: string;
  readonly restarts: number;
}

/** NATS or Redis; it is started again when it dies. */
export interface StackServer {
  readonly name: "nats" | "redis";
  readonly pid: number;
  readonly restarts: number;
}

/** A running local stack. Disposing stops everything in reverse order. */
export interface Stack extends StackAccess, AsyncDisposable {
  readonly dir: string;
  /** Names of the embedded clusters that run now. One that died is replaced by one of another name. */
  readonly clusters: readonly string[];
  /** Their processes, by the clusters' names; several share one. */
  readonly clusterPids: ReadonlyMap<string, number>;
  /** Where the gateways listen. */
  readonly gateways: readonly string[];
  readonly services: readonly StackService[];
  readonly servers: readonly StackServer[];
}
