import type { KubeObject } from "@microremed/cluster";
import { changedFields, pathText } from "./fields.ts";
import { identityOf } from "./inventory.ts";
import { normalise, sortKeys } from "./normalise.ts";
import type { ArenaRecord } from "./record.ts";

/** What an arena is to hold while an episode has it: what was deployed, with the episode's noises. Normalised. */
export function objectsWithNoise({ objects, noise }: ArenaRecord): readonly KubeObject[] {
  if (!noise) return objects;
  const instead = byIdentity(noise.objects);
  const declared = byIdentity(objects);
  const added = noise.objects.filter((object) => !declared.has(identityOf(object)));
  return [...objects.map((object) => instead.get(identityOf(object)) ?? object), ...added];
}

/**
 * The same for an arena as it is now: who has taken a noise away, or a part of it, has neither repaired nor broken anything,
 * so that either is as it is to be. `live`: all objects of the arena.
 */
export function expectedWithNoise(record: ArenaRecord, live: readonly KubeObject[]): readonly KubeObject[] {
  if (!record.noise) return record.objects;
  const now = byIdentity(live);
  const declared = byIdentity(record.objects);
  const noisy = byIdentity(record.noise.objects);
  return objectsWithNoise(record).flatMap((object) => {
    const identity = identityOf(object);
    const present = now.get(identity);
    if (!noisy.has(identity)) return [object];
    const original = declared.get(identity);
    if (original) return [present ? partsAsIn(normalise(present), original, object) : object];
    if (!present || present.metadata.deletionTimestamp !== undefined) return [];
    return [isPutToRest(object, normalise(present)) ? normalise(present) : object];
  });
}

/** The parts of an object that are as they were deployed, and the others as the noise has made them. */
function partsAsIn(live: KubeObject, original: KubeObject, noisy: KubeObject): KubeObject {
  const fields = new Set([...Object.keys(original), ...Object.keys(noisy)]);
  const isOriginal = (field: string): boolean => isSame(live[field], original[field]);
  const parts = [...fields].map((field) => [field, isOriginal(field) ? original[field] : noisy[field]]);
  return sortKeys(Object.fromEntries(parts)) as KubeObject;
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
