import { jsonEqual, type KubeObject, type NewObject } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import type { UpdateOptions } from "./store.types.ts";

/** What the rules of writing depend on, by kind. */
export interface KindTraits {
  /** Its generation grows with its spec. */
  readonly generation: boolean;
  /** Status is written apart from the rest. */
  readonly statusApart: boolean;
}

const collections = ["labels", "annotations", "ownerReferences", "finalizers", "managedFields"] as const;

/** Metadata as Go writes it: an empty map or list is left out. */
function tidied(object: KubeObject): KubeObject {
  const { metadata } = object;
  const empty = collections.filter((key) => metadata[key] && Object.keys(metadata[key]).length === 0);
  if (empty.length === 0) return object;
  const kept = Object.entries(metadata).filter(([key]) => !(empty as readonly string[]).includes(key));
  return { ...object, metadata: Object.fromEntries(kept) as unknown as KubeObject["metadata"] };
}

/** A new object as it is stored: what the server decides replaces what the client sent. `now`: ms. */
export function createdObject(
  object: NewObject,
  { name, uid }: { readonly name: string; readonly uid: string },
  { generation }: Pick<KindTraits, "generation">,
  now: number,
): KubeObject {
  const {
    resourceVersion: _version,
    deletionTimestamp: _deleted,
    deletionGracePeriodSeconds: _grace,
    generation: _generation,
    ...metadata
  } = object.metadata;
  return tidied({
    ...object,
    metadata: {
      ...metadata,
      name,
      uid,
      resourceVersion: "",
      creationTimestamp: rfc3339(now),
      ...(generation && { generation: 1 }),
    },
  } as KubeObject);
}

/** What a write may change of the stored object: everything but status, or status and its owners alone. */
function writable(
  old: KubeObject,
  object: KubeObject,
  statusApart: boolean,
  options: UpdateOptions | undefined,
): KubeObject {
  if (options?.status) {
    const { managedFields } = object.metadata;
    const metadata = managedFields ? { ...old.metadata, managedFields } : old.metadata;
    return { ...old, metadata, status: object.status };
  }
  if (!statusApart) return object;
  const { status: _ignored, ...rest } = object;
  return old.status === undefined ? (rest as KubeObject) : ({ ...rest, status: old.status } as KubeObject);
}

function changedBesides(a: KubeObject, b: KubeObject, ignored: readonly string[]): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const key of ignored) keys.delete(key);
  return [...keys].some((key) => !jsonEqual(a[key], b[key]));
}

/** The stored object after a write: identity and deletion are kept, and the generation grows when the spec changed. */
export function updatedObject(
  old: KubeObject,
  object: KubeObject,
  { statusApart, generation: counts }: KindTraits,
  options: UpdateOptions | undefined,
): KubeObject {
  const written = writable(old, object, statusApart, options);
  const ignored = statusApart ? ["metadata", "status"] : ["metadata"];
  const changed = counts && changedBesides(old, written, ignored);
  const { uid, creationTimestamp, generation, deletionTimestamp, deletionGracePeriodSeconds } = old.metadata;
  return tidied({
    ...written,
    metadata: {
      ...written.metadata,
      uid,
      creationTimestamp,
      resourceVersion: old.metadata.resourceVersion,
      ...(generation !== undefined && { generation: changed ? generation + 1 : generation }),
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
      ...(deletionGracePeriodSeconds !== undefined && { deletionGracePeriodSeconds }),
    },
  });
}
