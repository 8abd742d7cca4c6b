import { createHash } from "node:crypto";
import {
  admitNew,
  admitWithinLimits,
  allocateService,
  defaulted,
  hasStatus,
  initialStatus,
  isDefinition,
  type ResourceType,
  settledStatus,
  storageOf,
  tracked,
  validateObject,
  withRequester,
  withTemplateGeneration,
} from "@microremed/sim-kinds";
import {
  alreadyExists,
  badRequest,
  type KubeObject,
  type NewObject,
  type ResourceRef,
  StatusError,
} from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import type { ApiContext, Call } from "../context/context.ts";
import { isDryRun } from "../http/query.ts";
import type { Reply } from "../http/respond.ts";
import { mutateByHooks, validateByHooks } from "./admit.ts";
import { checkFields } from "./check-fields.ts";
import { guardShape } from "./guard-shape.ts";
import { placeObject, readObject } from "./incoming.ts";
import { requireActiveNamespace } from "./namespace.ts";
import { asServed, tableOptions } from "./read.ts";
import { acceptedForm, render } from "./representation.ts";
import { requireRoom } from "./room.ts";
import { writerOf } from "./writer.ts";

/** Kinds whose defaults need the uid before the object is stored get one that their place in history decides. */
function givenUid(context: ApiContext, type: ResourceType, object: NewObject): NewObject {
  if (type.resource !== "jobs") return object;
  const { namespace, name } = object.metadata;
  const seed = `${namespace}/${name}/${context.store.resourceVersion}`;
  const hex = createHash("sha256").update(seed).digest("hex");
  const uid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  return { ...object, metadata: { ...object.metadata, uid } };
}

const isSigningRequest = ({ group, resource }: ResourceType): boolean =>
  group === "certificates.k8s.io" && resource === "certificatesigningrequests";

const isNamespace = ({ group, resource }: ResourceRef): boolean => group === "" && resource === "namespaces";

function requireName({ kind, group }: ResourceType, { name, generateName }: NewObject["metadata"]): void {
  if (name || generateName) return;
  const message = "Required value: name or generateName is required";
  const causes = [{ reason: "FieldValueRequired", message, field: "metadata.name" }];
  throw new StatusError(
    422,
    "Invalid",
    `${kind}${group && `.${group}`} "" is invalid: metadata.name: ${message}`,
    { kind, ...(group && { group }), causes },
  );
}

function withInitialStatus(type: ResourceType, object: NewObject): NewObject {
  if (!hasStatus(type)) return object;
  const { status: _sent, ...rest } = object;
  return type.custom
    ? (rest as NewObject)
    : ({ ...rest, status: initialStatus(storageOf(type), object) } as NewObject);
}

/** What would be stored, for a dry run. */
function imagined(context: ApiContext, type: ResourceType, object: NewObject): KubeObject {
  const { name, generateName } = object.metadata;
  const shown = name ?? `${generateName}xxxxx`;
  if (context.store.get(storageOf(type), object.metadata.namespace, shown)) throw alreadyExists(type, shown);
  return {
    ...object,
    metadata: {
      uid: "00000000-0000-4000-8000-000000000000",
      creationTimestamp: rfc3339(context.now()),
      ...object.metadata,
      name: shown,
    },
  } as KubeObject;
}

/** Runs a new object through defaulting, admission and validation and stores it. `isApplied`: its owners are known. */
export function createFrom(context: ApiContext, call: Call, sent: NewObject, isApplied = false): KubeObject {
  const object = guardShape(context, call, () => prepared(context, call, sent, isApplied));
  if (isDryRun(call.query)) return imagined(context, call.type, object);
  return context.store.create(storageOf(call.type), object);
}

function prepared(context: ApiContext, call: Call, sent: NewObject, isApplied: boolean): NewObject {
  const { type } = call;
  const ref = storageOf(type);
  const placed = checkFields(call, placeObject(call, sent));
  const { name, generateName } = placed.metadata;
  if (placed.metadata.resourceVersion) {
    throw new StatusError(500, "InternalError", "resourceVersion should not be set on objects to be created");
  }
  if (type.namespaced) requireActiveNamespace(context.store, call, name ?? generateName ?? "");
  requireName(type, placed.metadata);
  const {
    uid: _uid,
    creationTimestamp: _created,
    selfLink: _link,
    ...metadata
  } = placed.metadata as NewObject["metadata"] & {
    selfLink?: string;
  };
  const known = givenUid(context, type, { ...placed, metadata });
  const withName = (one: NewObject): NewObject =>
    isDryRun(call.query) ? one : context.store.named(ref, one);
  // A namespace's label is its name, so one with a generateName gets its name before its defaults.
  const named = isNamespace(ref) ? withName(known) : known;
  const clean = isSigningRequest(type) ? withRequester(named, call.user) : named;
  const stored = type.stored ? type.stored.toStored(clean) : clean;
  validateObject(ref, type, stored, undefined, "shape");
  const complete = admitNew(context.store, ref, defaulted(type, ref, stored));
  const admitted = mutateByHooks(context, call, complete, undefined);
  const fresh = withInitialStatus(type, admitted);
  validateObject(ref, type, fresh, undefined, "values");
  // What changes objects knows one by its generateName, what checks them by its name.
  const final = withName(fresh);
  const full = isDefinition(ref)
    ? { ...final, status: settledStatus(context.store, final, undefined, context.now()) }
    : final;
  validateByHooks(context, call, full, undefined);
  admitWithinLimits(context.store, ref, full, undefined);
  requireRoom(context, call, ref, full, undefined);
  const counted = withTemplateGeneration(ref, full, undefined);
  const owned = isApplied ? counted : tracked(counted, undefined, writerOf(context, call));
  const isService = ref.group === "" && ref.resource === "services";
  return isService ? allocateService(context.store, owned, undefined) : owned;
}

export async function createObject(context: ApiContext, call: Call): Promise<Reply> {
  const body = await call.body();
  if (call.type.namespaced && call.target.namespace === undefined) {
    throw badRequest("an empty namespace may not be set during creation");
  }
  const created = createFrom(context, call, readObject(call.type, body));
  const form = acceptedForm(call.request.headers.accept);
  return {
    status: 201,
    body: render(call.type, asServed(call.type, created), form, tableOptions(context, call)),
  };
}
