import type { Cluster, Pod } from "@microremed/cluster";
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
  /** By the pod's uid; of a program that has counted nothing yet without an edge. */
  readonly programs: ReadonlyMap<string, ProgramCounts>;
  /** Uids of pods that were there and did not answer: what they tell later has no known beginning. */
  readonly silent: ReadonlySet<string>;
}

/** Where an arena's request metrics come from. All of them are reached through the cluster's API. */
export type RequestSource = (cluster: Cluster, pods: readonly Pod[]) => Promise<RequestsReading>;
