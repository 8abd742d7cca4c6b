import { customKinds } from "@microremed/catalogue";
import { isRefused, type KubeObject, kinds } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { type ArenaRecord, identityOf, readInventory } from "@microremed/inventory";
import type { ArenaContext } from "./arena.ts";

/** Requests at once. */
const atOnce = 20;

/**
 * Takes away what an arena that is as it was deployed still shows of before: what was reported of its objects, and who wrote
 * them when. The next agent would read in it what happened to another one.
 */
export async function forgetPast(arena: ArenaContext, record: Pick<ArenaRecord, "managers">): Promise<void> {
  const { cluster, namespace } = arena;
  const events = await cluster.list(kinds.event, { namespace });
  await each(events, ({ metadata }) => cluster.delete(kinds.event, namespace, metadata.name));
  const { managers } = record;
  if (!managers) return;
  const live = await readInventory(cluster, namespace, customKinds(arena.environment));
  await each(live, (object) => putBackManagers(arena, object, managers[identityOf(object)] ?? []));
}

/** Who manages which fields of each object, by its identity: what its status is about stays out. */
export function managersOf(objects: readonly KubeObject[]): NonNullable<ArenaRecord["managers"]> {
  return Object.fromEntries(objects.map((object) => [identityOf(object), inDesired(entriesOf(object))]));
}

async function putBackManagers(
  { cluster, namespace }: ArenaContext,
  object: KubeObject,
  recorded: readonly unknown[],
): Promise<void> {
  const entries = entriesOf(object);
  if (recorded.length === 0 || JSON.stringify(inDesired(entries)) === JSON.stringify(recorded)) return;
  const { apiVersion = "", kind = "", metadata } = object;
  const managedFields = [...recorded, ...entries.filter((one) => !inDesired([one]).includes(one))];
  const body = { metadata: { managedFields } };
  try {
    await cluster.patch({ apiVersion, kind }, namespace, metadata.name, { type: "merge", body });
  } catch (error) {
    // It is gone, or its kind does not take this: it shows then who wrote it.
    if (!isRefused(error, 404) && !isRefused(error, 422)) throw error;
  }
}

const entriesOf = ({ metadata }: KubeObject): readonly unknown[] => {
  const entries: unknown = Reflect.get(metadata, "managedFields");
  return Array.isArray(entries) ? entries : [];
};

const inDesired = (entries: readonly unknown[]): readonly unknown[] =>
  entries.filter((one) => !(isJsonObject(one) && one["subresource"] === "status"));

async function each<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < items.length; from += atOnce)
    await Promise.all(items.slice(from, from + atOnce).map(act));
}
