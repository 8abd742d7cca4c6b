/** JSON as the API server stores it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The object on which another one depends: the garbage collector deletes it after its owner. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Metadata of a stored object. Timestamps are RFC 3339, in cluster time. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly generation?: number;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly OwnerReference[];
  readonly generateName?: string;
  readonly managedFields?: readonly Json[];
}

/**
 * One stored object. Objects are immutable: a write replaces them, so watchers, caches and snapshots share them.
 * Kinds differ too much to type all of them; code that reads a kind narrows `spec` and `status` itself.
 */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the kind's; each reader narrows it
  readonly spec?: any;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is the kind's; each reader narrows it
  readonly status?: any;
  readonly [field: string]: unknown;
}

/** An object before the store has given it uid, resourceVersion and creationTimestamp. */
export interface NewObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Partial<ObjectMeta>;
  readonly spec?: KubeObject["spec"];
  readonly status?: KubeObject["status"];
  readonly [field: string]: unknown;
}

/** `pods` in group "", `deployments` in group `apps`, `stresschaos` in group `chaos-mesh.org`. */
export interface ResourceRef {
  readonly group: string;
  readonly resource: string;
}
