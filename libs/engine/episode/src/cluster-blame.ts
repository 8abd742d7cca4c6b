import { type StageResult, stages } from "@microremed/contracts";

/** At so much a cluster is quarantined. */
export const blameLimit = 6;

/** What a stage's failure counts against its cluster: an answer that never came more than a wrong one. */
const weights: Readonly<Record<string, number>> = {
  "cluster-unreachable": blameLimit / 2,
  "cluster-refused": 1,
  "environment-unhealthy": 1,
  "restore-failed": 1,
  "deadline-exceeded": 1,
};

/** What a result says of the cluster on which its stage was done. */
export type Blame =
  /** Nothing: the stage needs no cluster, or failed for a reason that is not the cluster's. */
  | { readonly kind: "none" }
  /** It works. */
  | { readonly kind: "praise" }
  /** `unproven`: it counts only where the environment is known to work. */
  | { readonly kind: "blame"; readonly weight: number; readonly reason: string; readonly unproven: boolean };

/**
 * What one result counts against its cluster. At a sum of `blameLimit` since something last went well there, the
 * cluster is quarantined.
 */
export function blameOf({ stage, body }: StageResult): Blame {
  if (stages[stage].shard !== "cluster") return { kind: "none" };
  if (body.status !== "failed") return { kind: "praise" };
  const { code, message } = body.error;
  const weight = weights[code];
  if (weight === undefined) return { kind: "none" };
  const reason = `${stage}: ${message}`.slice(0, 2_000);
  return { kind: "blame", weight, reason, unproven: code !== "cluster-unreachable" };
}
