import {
  forbidden,
  formatQuantity,
  type KubeObject,
  type NewObject,
  type ResourceRef,
  StatusError,
} from "@microremed/sim-objects";
import { weightOf } from "@microremed/sim-store";
import type { ApiContext, Call } from "../context/context.ts";

/** Of everything in one namespace, for clients without all rights; the largest environment takes 3 MiB. */
const NAMESPACE_BYTES = 32 * 2 ** 20;
/** Of everything in the cluster, for every client. */
const CLUSTER_BYTES = 96 * 2 ** 20;
const administrators = "system:masters";

/**
 * Throws when the store has no room for a write that makes an object larger: 403 in the words of a quota when the
 * namespace's bound is passed, and etcd's own 500 when the cluster's is. Only clients' writes are held to it: what
 * controllers make follows from these, shares its content with them, and is bounded in number by quotas.
 */
export function requireRoom(
  { store }: ApiContext,
  { user }: Call,
  ref: ResourceRef,
  object: NewObject,
  old: KubeObject | undefined,
): void {
  const more = weightOf(object) - weightOf(old);
  if (more <= 0) return;
  if (store.weight() + more > CLUSTER_BYTES)
    throw new StatusError(500, "InternalError", "etcdserver: mvcc: database space exceeded");
  const { namespace, name, generateName } = object.metadata;
  if (namespace === undefined || user.groups.includes(administrators)) return;
  const used = store.weight(namespace);
  if (used + more <= NAMESPACE_BYTES) return;
  const [requested, taken, limited] = [more, used, NAMESPACE_BYTES].map((bytes) =>
    formatQuantity(bytes, "0"),
  );
  const why = `exceeded quota: object-bytes, requested: bytes=${requested}, used: bytes=${taken}, limited: bytes=${limited}`;
  throw forbidden(ref, name ?? generateName ?? "", why);
}
