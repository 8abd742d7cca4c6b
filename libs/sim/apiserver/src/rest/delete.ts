import { cleanupFinalizer, definitionsRef, isDefinition, storageOf } from "@microremed/sim-kinds";
import {
  badRequest,
  isRecord,
  type KubeObject,
  type LooseRecord,
  StatusError,
} from "@microremed/sim-objects";
import type { DeleteOptions } from "@microremed/sim-store";
import { rfc3339 } from "@microremed/sim-time";
import type { ApiContext, Call } from "../context/context.ts";
import { intParam, isDryRun } from "../http/query.ts";
import type { Reply } from "../http/respond.ts";
import { admitDelete } from "./admit.ts";
import { asServed, requireObject, selected } from "./read.ts";

const policies = ["Background", "Foreground", "Orphan"] as const;

interface DeleteRequest {
  readonly options: DeleteOptions;
  readonly dryRun: boolean;
}

/** DeleteOptions from body and query. Throws 400 for values that cannot be. */
export function readDeleteOptions(query: URLSearchParams, body: unknown): DeleteRequest {
  if (body !== undefined && !isRecord(body)) throw badRequest("DeleteOptions must be an object");
  const sent: LooseRecord = body ?? {};
  const grace = intParam(query, "gracePeriodSeconds") ?? sent["gracePeriodSeconds"] ?? undefined;
  if (grace !== undefined && (!Number.isInteger(grace) || grace < 0)) {
    throw badRequest(
      `gracePeriodSeconds: Invalid value: ${JSON.stringify(grace)}: must be a non-negative integer`,
    );
  }
  const orphan = sent["orphanDependents"];
  const policy =
    query.get("propagationPolicy") ||
    sent["propagationPolicy"] ||
    (orphan === true ? "Orphan" : orphan === false ? "Background" : undefined);
  const known = policies.find((candidate) => candidate === policy);
  if (policy && !known) {
    throw badRequest(
      `DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: ${JSON.stringify(policy)}: supported values: "Foreground", "Background", "Orphan", "nil"`,
    );
  }
  const { uid, resourceVersion } = isRecord(sent["preconditions"])
    ? sent["preconditions"]
    : ({} as LooseRecord);
  return {
    dryRun: isDryRun(query, sent),
    options: {
      ...(grace !== undefined && { gracePeriodSeconds: grace }),
      ...(known && { propagationPolicy: known }),
      preconditions: { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) },
    },
  };
}

/** The body of an answer: the object while something still holds it, else a Status. */
function outcome(context: ApiContext, call: Call, object: KubeObject): object {
  const { namespace, name, uid } = object.metadata;
  const left = context.store.get(storageOf(call.type), namespace, name);
  if (left && left.metadata.uid === uid) return asServed(call.type, left);
  // A pod comes back as an object even when it is gone at once.
  if (call.type.resource === "pods") return object;
  const { group, resource } = call.type;
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name, ...(group && { group }), kind: resource, uid },
  };
}

/** A definition stays until the last of its objects is gone. */
function markForCleanup({ store, now }: ApiContext, definition: KubeObject): void {
  const { finalizers = [] } = definition.metadata;
  if (definition.metadata.deletionTimestamp !== undefined || finalizers.includes(cleanupFinalizer)) return;
  const held = store.update(definitionsRef, {
    ...definition,
    metadata: { ...definition.metadata, finalizers: [...finalizers, cleanupFinalizer] },
  });
  const terminating = {
    type: "Terminating",
    status: "True",
    lastTransitionTime: rfc3339(now()),
    reason: "InstanceDeletionPending",
    message: "CustomResourceDefinition marked for deletion; CustomResource deletion will be initiated soon",
  };
  const conditions = [...(held.status?.conditions ?? []), terminating];
  store.update(definitionsRef, { ...held, status: { ...held.status, conditions } }, { status: true });
}

const immortal = new Set(["default", "kube-system", "kube-public", "kube-node-lease"]);

/** Throws 403 for the namespaces that the cluster itself lives in. */
function requireMortal({ type }: Call, { metadata: { name } }: KubeObject): void {
  if (type.group !== "" || type.resource !== "namespaces" || !immortal.has(name)) return;
  const message = `namespaces ${JSON.stringify(name)} is forbidden: this namespace may not be deleted`;
  throw new StatusError(403, "Forbidden", message, { name, kind: "namespaces" });
}

export async function deleteObject(context: ApiContext, call: Call): Promise<Reply> {
  const { options, dryRun } = readDeleteOptions(call.query, await call.body());
  const object = requireObject(context, call);
  requireMortal(call, object);
  admitDelete(context, call, object);
  if (dryRun) return { status: 200, body: asServed(call.type, object) };
  const { namespace, name } = object.metadata;
  if (isDefinition(storageOf(call.type))) markForCleanup(context, object);
  const deleted = context.store.delete(storageOf(call.type), namespace, name, options);
  return { status: 200, body: outcome(context, call, deleted) };
}

export async function deleteCollection(context: ApiContext, call: Call): Promise<Reply> {
  const { options, dryRun } = readDeleteOptions(call.query, await call.body());
  const matches = selected(call);
  const ref = storageOf(call.type);
  const found = context.store.list(ref, call.target.namespace).filter(matches);
  for (const { metadata } of dryRun ? [] : found) {
    const present = context.store.get(ref, metadata.namespace, metadata.name);
    if (present) {
      admitDelete(context, call, present);
      context.store.delete(ref, metadata.namespace, metadata.name, options);
    }
  }
  const metadata = { resourceVersion: String(context.store.resourceVersion) };
  const items = found.map((object) => asServed(call.type, object));
  return {
    status: 200,
    body: { kind: `${call.type.kind}List`, apiVersion: items[0]?.apiVersion ?? "v1", metadata, items },
  };
}
