import type { HostedServiceName } from "../service-names.ts";

/** What a cluster host is sent first. */
export interface ClusterWork {
  readonly kind: "clusters";
  readonly names: readonly string[];
  readonly environments: readonly string[];
  readonly environmentsDir: string | undefined;
  /** Folders with entries of the user's own. */
  readonly catalogueDirs: readonly string[];
  readonly seed: number;
  readonly timeScale: number;
}

/** A service that works on the clusters of its process. */
export interface HostedServiceWork {
  readonly service: HostedServiceName;
  /** Its environment variables. Secrets pass here, never as arguments. */
  readonly variables: Readonly<Record<string, string>>;
  readonly logFile: string;
}

/** What a cluster host is sent when its clusters run, once. */
export interface ServiceWork {
  readonly kind: "services";
  readonly services: readonly HostedServiceWork[];
  /** Names of clusters that died with the process whose place this one takes: episodes may still have commands there. */
  readonly former: readonly string[];
}

export type HostWork = ClusterWork | ServiceWork;

export interface RunningCluster {
  readonly name: string;
  /** The admin's, as YAML text. */
  readonly kubeconfig: string;
  readonly clockUrl: string;
}

/**
 * What a cluster host answers: when its clusters run, and when the services do or one does not start. `alive` it says
 * by itself every few seconds.
 */
export type HostAnswer =
  | { readonly kind: "alive" }
  | { readonly kind: "clusters"; readonly clusters: readonly RunningCluster[] }
  | { readonly kind: "services"; readonly healthPorts: readonly number[] }
  | { readonly kind: "failed"; readonly service: HostedServiceName };
