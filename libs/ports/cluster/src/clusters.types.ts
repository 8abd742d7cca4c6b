import type { ClusterEntry } from "@microremed/contracts";
import type { Cluster } from "./cluster.types.ts";

/** The registered clusters, each connected on first use. */
export interface Clusters extends AsyncDisposable {
  /** As they are registered now. */
  readonly names: readonly string[];
  /** Entries as they are registered now, in their order; kubeconfig paths are absolute. */
  readonly entries: readonly ClusterEntry[];
  /** Also one that is no longer registered, until it is forgotten. Throws `unknown-cluster` that lists the known ones. */
  get(name: string): Promise<Cluster>;
  /** Has `listener` called after every change of what is registered. */
  onChange(listener: () => void): Disposable;
  /** Closes the connection to a cluster that is no longer registered. */
  forget(name: string): Promise<void>;
}
