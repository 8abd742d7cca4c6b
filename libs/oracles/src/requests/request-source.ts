import type { Cluster, Pod } from "@microremed/kube";
import type { EdgeCounts } from "./edge-counts.ts";

/** What one program has counted of its requests. */
export interface ProgramCounts {
  /** Cluster time, ms, of the counts. */
  readonly at: number;
  readonly edges: ReadonlyMap<string, EdgeCounts>;
}

/** What every program of an arena has counted of its requests. */
export interface RequestsReading {
  /** Cluster time, ms, of the reading: no counts are newer. */
  readonly at: number;
  /** By the pod's uid; only of pods that report any. */
  readonly programs: ReadonlyMap<string, ProgramCounts>;
}

/** Where an arena's request metrics come from. All of them are reached through the cluster's API. */
export type RequestSource = (cluster: Cluster, pods: readonly Pod[]) => Promise<RequestsReading>;
