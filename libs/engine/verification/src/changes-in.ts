import { customKinds, type OracleContext, targetOf } from "@microremed/catalogue";
import type { Change } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import {
  compareArena,
  knownVolumes,
  type Mark,
  readArena,
  readRecord,
  recordedFor,
  withInsides,
  withoutRewritten,
} from "@microremed/inventory";

type ComparedContext = Pick<
  OracleContext,
  "cluster" | "namespace" | "environment" | "target" | "resourcesMayDiffer"
>;

/**
 * Compares the arena with its record. `mark`: as it was right after the injection; absent: nothing has been injected.
 * Throws `arena-lost` (terminal) where there is no record to compare with.
 */
export async function changesIn(context: ComparedContext, mark: Mark | undefined): Promise<Change[]> {
  const { cluster, namespace, environment, target, resourcesMayDiffer } = context;
  const [record, read] = await Promise.all([
    readRecord(cluster, namespace),
    readArena(cluster, namespace, customKinds(environment)),
  ]);
  if (!record) {
    throw terminal(
      "arena-lost",
      `cluster ${cluster.name} has no record of namespace ${namespace}; was the cluster replaced?`,
    );
  }
  const objects = { ...read, objects: withoutRewritten(record, read.objects) };
  const arena = mark?.programs
    ? await withInsides(cluster, environment, objects, knownVolumes(environment, objects, mark))
    : objects;
  const failed = targetOf(environment, target)?.name;
  return compareArena(
    {
      environment,
      target: failed,
      ...recordedFor(record, objects.objects),
      mark,
      resourcesMayDiffer,
    },
    arena,
  );
}
