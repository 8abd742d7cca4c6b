import type { ClusterQuarantine } from "@microremed/contracts";

/** Something that failed on a cluster. */
export interface ClusterFailure {
  readonly cluster: string;
  /** What failed: counted once, however often it is reported. */
  readonly key: string;
  /** What it counts towards the limit at which the cluster is quarantined. */
  readonly weight: number;
}

/** What is held against clusters as a whole, and which of them get no episodes because of it. */
export interface ClusterHealth {
  /** Counts a failure; true: with it the cluster has reached `limit` and was quarantined just now. */
  blame(failure: ClusterFailure, limit: number, quarantine: ClusterQuarantine): Promise<boolean>;
  /** Something went well on it: what failed before does not count any more. */
  clear(cluster: string): Promise<void>;
  /** Names of clusters against which something is held. */
  suspected(): Promise<string[]>;
  quarantined(): Promise<ReadonlyMap<string, ClusterQuarantine>>;
  /** False: it was not quarantined. */
  release(cluster: string): Promise<boolean>;
}
