import type { Rng } from "@microremed/core";
import type { KubeObject, NewObject, ResourceRef } from "@microremed/sim-objects";

/** One change of an object, as a watch reports it. `previous`: the object before it. */
export type WatchEvent =
  | { readonly type: "ADDED" | "MODIFIED"; readonly object: KubeObject; readonly previous?: KubeObject }
  | { readonly type: "DELETED"; readonly object: KubeObject };

/** Which part of an object a write replaces, and through what. */
export interface UpdateOptions {
  /** Write only `status` (true) or everything but `status` (false, the default for kinds with a status subresource). */
  readonly status?: boolean;
  /** The subresource by which a component of the cluster writes, for managedFields; `status` names its own. */
  readonly through?: "scale";
}

/** How an object is deleted, as metav1.DeleteOptions have it. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan";
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/**
 * The object store behind the API server (etcd and the registry's generic rules): synchronous, in memory, one
 * resourceVersion counter. Failures are thrown as StatusError (see status-error.ts) with Kubernetes' reason and code.
 *
 * Rules it keeps for every writer, clients and controllers alike: uid, creationTimestamp and resourceVersion are its
 * own; a stale resourceVersion in the written object is a Conflict; an update that changes nothing is a no-op with
 * the same resourceVersion; `metadata.generation` grows when anything but metadata and status changed; an object with
 * finalizers gets a deletionTimestamp instead of vanishing and vanishes when the last finalizer is removed; pods are
 * deleted gracefully (deletionTimestamp, then the kubelet removes them with gracePeriodSeconds 0).
 */
export interface Store {
  get(resource: ResourceRef, namespace: string | undefined, name: string): KubeObject | undefined;
  /** Sorted by namespace and name. `namespace` undefined: all namespaces. */
  list(resource: ResourceRef, namespace?: string): readonly KubeObject[];
  create(resource: ResourceRef, object: NewObject): KubeObject;
  /**
   * A new object with its name: its own, or one that is not taken, drawn for its generateName. `names` draws it, if given,
   * so that what other writers do does not change it.
   */
  named(
    resource: ResourceRef,
    object: NewObject,
    names?: Rng,
  ): NewObject & { readonly metadata: { readonly name: string } };
  update(resource: ResourceRef, object: KubeObject, options?: UpdateOptions): KubeObject;
  /** Reads, lets `change` make a new object, writes; undefined when the object is gone or `change` returns undefined. */
  mutate(
    resource: ResourceRef,
    namespace: string | undefined,
    name: string,
    change: (object: KubeObject) => KubeObject | undefined,
    options?: UpdateOptions,
  ): KubeObject | undefined;
  delete(
    resource: ResourceRef,
    namespace: string | undefined,
    name: string,
    options?: DeleteOptions,
  ): KubeObject;
  /**
   * Calls `listener` synchronously, in order, for every later change of the resource; `onReset` when `restore` made
   * its earlier events invalid. Returns a function that unsubscribes.
   */
  watch(resource: ResourceRef, listener: (event: WatchEvent) => void, onReset?: () => void): () => void;
  /**
   * Changes of the resource after `resourceVersion`, oldest first: where a watch starts that a client resumes.
   * Throws 410 Expired when some are already forgotten.
   */
  changesSince(resource: ResourceRef, resourceVersion: number): readonly WatchEvent[];
  /** The newest resourceVersion. */
  readonly resourceVersion: number;
  /** How often it was put back to a snapshot: a resourceVersion is of one such time. */
  readonly restores: number;
  /** About how many bytes the objects of a namespace take; undefined: all objects. */
  weight(namespace?: string): number;
  /** Everything stored, cheaply: objects are immutable and shared. */
  snapshot(): StoreSnapshot;
  /**
   * Puts back what `snapshot` took, resourceVersion included. Watchers get no events but a reset, and clients that resume
   * a watch must list again.
   */
  restore(snapshot: StoreSnapshot): void;
}

export interface StoreSnapshot {
  readonly resourceVersion: number;
  readonly objects: ReadonlyMap<string, ReadonlyMap<string, KubeObject>>;
}
