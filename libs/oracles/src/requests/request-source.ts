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
  /** Uids of the pods that were there and reported none: what they tell later has no known beginning. */
  readonly silent: ReadonlySet<string>;
}

/** Where an arena's request metrics come from. All of them are reached through the cluster's API. */
export type RequestSource = (cluster: Cluster, pods: readonly Pod[]) => Promise<RequestsReading>;

export function readingOf(
  at: number,
  pods: readonly Pod[],
  programs: readonly (readonly [uid: string, ProgramCounts])[],
): RequestsReading {
  const told = new Map(programs);
  const uids = pods.map(({ metadata }) => metadata.uid ?? "");
  return { at, programs: told, silent: new Set(uids.filter((uid) => !told.has(uid))) };
}
