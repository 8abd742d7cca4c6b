import { targetOf } from "@microremed/catalogue";
import type { Cluster } from "@microremed/cluster";
import type { Damage, InjectionEvidence } from "@microremed/contracts";
import {
  type ArenaObjects,
  type ArenaRecord,
  changesOutside,
  compareArena,
  markOf,
  readArena,
  readMark,
  readOutside,
  readRecord,
  withPrograms,
  writeMark,
} from "@microremed/inventory";
import type { ArenaContext } from "./arena.ts";

/** Notes what the fault itself has changed, so that it is not taken for the remedy's doing later. */
export async function markInjected(
  { cluster, namespace, lease, catalogue, environment }: ArenaContext,
  { failure, target }: { readonly failure: string; readonly target: string },
  { injectedAt, expiresAt, nodes = [] }: Pick<InjectionEvidence, "injectedAt" | "expiresAt" | "nodes">,
): Promise<void> {
  const record = await readRecord(cluster, namespace);
  if (!record) return;
  const [arena, outside] = await Promise.all([readInside(cluster, namespace), readOutside(cluster)]);
  const { cause } = catalogue.faults.get(failure);
  const injected = { failure, target, fence: lease.fence, injectedAt, expiresAt, nodes: [...nodes], cause };
  await writeMark(cluster, namespace, markOf(injected, environment, record, arena, outside));
}

const readInside = async (cluster: Cluster, namespace: string): Promise<ArenaObjects> =>
  withPrograms(cluster, await readArena(cluster, namespace));

interface Failed {
  readonly failure: string;
  readonly target: string;
}

/**
 * What the remedies left changed, before anything is restored. It is kept with the mark: a restore that is tried again
 * finds what was there before it began. Null: the failure was never proven here.
 */
export async function measureDamage(
  { cluster, namespace, environment, catalogue, lease }: ArenaContext,
  record: ArenaRecord | undefined,
  { failure, target }: Failed,
): Promise<Damage | null> {
  const mark = await readMark(cluster, namespace, { failure, target, fence: lease.fence });
  if (!mark || !record) return null;
  if (mark.damage) return mark.damage;
  const [arena, outside] = await Promise.all([readInside(cluster, namespace), readOutside(cluster)]);
  const expected = {
    environment,
    target: targetOf(environment, target)?.name,
    record: record.objects,
    mark,
    resourcesMayDiffer: catalogue.faults.get(failure).resourcesMayDiffer === true,
  };
  const changes = [...compareArena(expected, arena), ...changesOutside(mark.outside, outside)];
  const damage = { changes: changes.slice(0, mostChanges) };
  await writeMark(cluster, namespace, { ...mark, damage });
  return damage;
}

const mostChanges = 100;
