import { customKinds } from "@microremed/catalogue";
import { type KubeObject, kinds } from "@microremed/cluster";
import { terminal } from "@microremed/core";
import {
  type ArenaRecord,
  differenceOf,
  identityOf,
  type KnownStores,
  normalise,
  readInventory,
  readRecord,
  withoutRewritten,
  writeRecord,
} from "@microremed/inventory";
import type { ArenaContext } from "./arena.ts";

/** Notes what `change` makes of the arena as a setting's or a noise's doing, beside what is noted already. */
export async function noting(
  arena: ArenaContext,
  as: "setting" | "noise",
  change: () => Promise<void>,
): Promise<void> {
  const { cluster, namespace } = arena;
  const record = await recordOf(arena);
  const read = async () =>
    withoutRewritten(record, await readInventory(cluster, namespace, customKinds(arena.environment)));
  const noted = record[as];
  const revisions =
    noted?.revisions ??
    (await cluster.list(kinds.replicaSet, { namespace })).map(({ metadata }) => metadata.uid ?? "");
  const before = (await read()).map(normalise);
  await change();
  const { extra, changed } = differenceOf(before, await read());
  const made = [...extra, ...changed.map(({ live }) => live)].map(normalise);
  const again = new Set(made.map(identityOf));
  const kept = (noted?.objects ?? []).filter((object) => !again.has(identityOf(object)));
  await writeRecord(cluster, namespace, { ...record, [as]: { objects: [...kept, ...made], revisions } });
}

/**
 * Notes objects of a setting, beside what is noted already: `rewritten`, as its programs delete and write them again; `alternatives`, as
 * they may be, too.
 */
export async function noteObjects(
  arena: ArenaContext,
  as: "rewritten" | "alternatives",
  objects: readonly KubeObject[],
): Promise<void> {
  if (objects.length === 0) return;
  const record = await recordOf(arena);
  const again = new Set(objects.map(identityOf));
  const kept = (record[as] ?? []).filter((object) => !again.has(identityOf(object)));
  const noted = [...kept, ...objects.map(normalise)];
  await writeRecord(arena.cluster, arena.namespace, { ...record, [as]: noted });
}

/** Notes what servers of datastores rightly have in force from now on, beside what is noted already. */
export async function noteRenewed(arena: ArenaContext, states: KnownStores["states"]): Promise<void> {
  if (Object.keys(states).length === 0) return;
  const record = await recordOf(arena);
  const renewed = { ...record.renewed, ...states };
  await writeRecord(arena.cluster, arena.namespace, { ...record, renewed });
}

/** The record of the arena. Throws `arena-lost` (terminal) where there is none. */
export async function recordOf({ cluster, namespace }: ArenaContext): Promise<ArenaRecord> {
  const record = await readRecord(cluster, namespace);
  if (record) return record;
  throw terminal(
    "arena-lost",
    `cluster ${cluster.name} has no record of namespace ${namespace}; was the cluster replaced?`,
  );
}
