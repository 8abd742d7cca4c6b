import { targetOf } from "@microremed/catalogue";
import type { Damage } from "@microremed/contracts";
import type { ArenaContext } from "./arena.ts";
import { damageOf, damageOutside, departuresOf } from "./damage.ts";
import { differenceOf } from "./difference.ts";
import { readInventory } from "./inventory.ts";
import { type Mark, takeMark, writeMark } from "./mark.ts";
import { readOutside } from "./outside.ts";
import { type ArenaRecord, readRecord } from "./record.ts";

type Failed = Pick<Mark, "failure" | "target">;

/** Notes what the fault itself has changed, so that it is not taken for the remedy's doing later. */
export async function markInjected({ cluster, namespace }: ArenaContext, failed: Failed): Promise<void> {
  const record = await readRecord(cluster, namespace);
  if (!record) return;
  const [inventory, outside] = await Promise.all([readInventory(cluster, namespace), readOutside(cluster)]);
  const arena = departuresOf(differenceOf(record.objects, inventory));
  const { failure, target } = failed;
  await writeMark(cluster, namespace, { failure, target, arena, outside });
}

/** What the remedies left changed, before anything is restored. Null: the failure was never proven here. */
export async function measureDamage(
  { cluster, namespace, environment }: ArenaContext,
  record: ArenaRecord | undefined,
  failed: Failed,
): Promise<Damage | null> {
  const mark = await takeMark(cluster, namespace, failed);
  if (!mark || !record) return null;
  const [inventory, outside] = await Promise.all([readInventory(cluster, namespace), readOutside(cluster)]);
  const workload = targetOf(environment, failed.target)?.name ?? failed.target;
  const { changes } = damageOf(differenceOf(record.objects, inventory), mark.arena, workload);
  return { changes: [...changes, ...damageOutside(mark.outside, outside)] };
}
