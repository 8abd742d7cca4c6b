import type { Workload } from "@microremed/cluster";

/**
 * Why a workload's rollout is not over with all of its replicas, in words; none: it is. `replicasBefore`: how many the
 * healthy workload had; undefined: not known, which is a problem too. A rollout under way ends by itself; one that is
 * stuck does not.
 */
export function rolloutProblems(
  name: string,
  { metadata, spec, status }: Workload,
  replicasBefore: number | undefined,
): string[] {
  const wanted = spec?.replicas ?? 1;
  const problems: string[] = [];
  if (replicasBefore === undefined || wanted < replicasBefore)
    problems.push(
      `${name} is scaled to ${wanted}, it had ${replicasBefore ?? "an unknown number of"} replicas`,
    );
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0))
    problems.push(`the controller has not yet seen the newest spec of ${name}`);
  // While a rollout is under way, old and new pods exist side by side.
  const counts = {
    updated: status?.updatedReplicas,
    ready: status?.readyReplicas,
    available: status?.availableReplicas,
  };
  for (const [what, count = 0] of Object.entries(counts))
    if (count !== wanted) problems.push(`${count} of ${wanted} replicas of ${name} are ${what}`);
  const existing = status?.replicas ?? 0;
  if (existing !== wanted)
    problems.push(`${name} has ${existing} replicas, old ones included, not ${wanted}`);
  return problems;
}
