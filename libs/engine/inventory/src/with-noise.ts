import type { KubeObject } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { withAlternatives } from "./alternatives.ts";
import type { Expected } from "./expected.ts";
import { changedFields, pathText } from "./fields.ts";
import { identityOf } from "./inventory.ts";
import { normalise, sortKeys } from "./normalise.ts";
import type { ArenaRecord, Recorded } from "./record.ts";

/** What belongs to the system while an episode has the arena: what was deployed, with the settings of its faults. Normalised. */
export const systemObjects = ({ objects, setting }: ArenaRecord): readonly KubeObject[] =>
  overlaid(objects, setting);

/** What an arena is to hold while an episode has it: the system, with the episode's noises. Normalised. */
export const objectsWithNoise = (record: ArenaRecord): readonly KubeObject[] =>
  overlaid(systemObjects(record), record.noise);

function overlaid(objects: readonly KubeObject[], recorded: Recorded | undefined): readonly KubeObject[] {
  if (!recorded) return objects;
  const instead = byIdentity(recorded.objects);
  const declared = byIdentity(objects);
  const added = recorded.objects.filter((object) => !declared.has(identityOf(object)));
  return [...objects.map((object) => instead.get(identityOf(object)) ?? object), ...added];
}

/**
 * The same for an arena as it is now. An agent that removed a noise, or a part of it, has broken nothing, so both states are
 * expected; `undoneChanges` says what the removal counts as. `live`: all objects of the arena.
 */
export function expectedWithNoise(record: ArenaRecord, live: readonly KubeObject[]): readonly KubeObject[] {
  if (!record.noise) return systemObjects(record);
  const now = byIdentity(live);
  const declared = byIdentity(systemObjects(record));
  const noisy = byIdentity(record.noise.objects);
  return objectsWithNoise(record).flatMap((object) => {
    const identity = identityOf(object);
    const present = now.get(identity);
    if (!noisy.has(identity)) return [object];
    const original = declared.get(identity);
    if (original) return [present ? (partsAsIn(normalise(present), original, object) as KubeObject) : object];
    if (!present || present.metadata.deletionTimestamp !== undefined) return [];
    return [isPutToRest(object, normalise(present)) ? normalise(present) : object];
  });
}

/** What an arena is compared with, of its record. `live`: all objects of the arena. */
export const recordedFor = (
  record: ArenaRecord,
  live: readonly KubeObject[],
): Pick<Expected, "record" | "withNoise"> => ({
  record: withAlternatives(record, expectedWithNoise(record, live), live),
  ...(record.noise && { withNoise: withAlternatives(record, objectsWithNoise(record), live) }),
});

/**
 * The parts of a value that are as they were deployed, and the others as the noise made them. It goes field by field, because an
 * agent that restores one field may also have restarted the workload. Items of lists are matched by their `name`, as those of
 * containers and variables; a list without names whose length differs counts as one part.
 */
function partsAsIn(live: unknown, original: unknown, noisy: unknown): unknown {
  if (isSame(live, original)) return original;
  if (Array.isArray(live) && Array.isArray(original) && Array.isArray(noisy)) {
    const lists = [live, noisy, original] as const;
    if (lists.every(isNamed)) return namedPartsAsIn(...lists);
    if (live.length !== original.length || live.length !== noisy.length) return noisy;
    return live.map((part, i) => partsAsIn(part, original[i], noisy[i]));
  }
  if (!isJsonObject(live) || !isJsonObject(original) || !isJsonObject(noisy)) return noisy;
  const fields = new Set([...Object.keys(original), ...Object.keys(noisy)]);
  const parts = [...fields].map((field) => [field, partsAsIn(live[field], original[field], noisy[field])]);
  return sortKeys(Object.fromEntries(parts));
}

interface Named {
  readonly name: string;
}

const isNamed = (list: readonly unknown[]): list is readonly Named[] =>
  list.every((one) => isJsonObject(one) && typeof one["name"] === "string") &&
  new Set(list.map((one) => (one as Named).name)).size === list.length;

/** In the order in which they are now; what is not there, and should be, comes last. */
function namedPartsAsIn(
  live: readonly Named[],
  noisy: readonly Named[],
  original: readonly Named[],
): readonly unknown[] {
  const names = new Set([...live, ...noisy, ...original].map(({ name }) => name));
  const of = (list: readonly Named[], name: string) => list.find((one) => one.name === name);
  return [...names]
    .map((name) => partsAsIn(of(live, name), of(original, name), of(noisy, name)))
    .filter((part) => part !== undefined);
}

/** Scaled or suspended, and changed in nothing else. */
function isPutToRest(noisy: KubeObject, live: KubeObject): boolean {
  return changedFields(noisy, live).every((field) => restFields.has(pathText(field)));
}

const restFields = new Set(["spec.replicas", "spec.suspend"]);

const isSame = (a: unknown, b: unknown): boolean =>
  JSON.stringify(sortKeys(a)) === JSON.stringify(sortKeys(b));

const byIdentity = (objects: readonly KubeObject[]): ReadonlyMap<string, KubeObject> =>
  new Map(objects.map((object) => [identityOf(object), object]));
