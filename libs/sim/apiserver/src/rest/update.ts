import {
  admitWithinLimits,
  allocateService,
  defaulted,
  hasStatus,
  isDefinition,
  settledStatus,
  storageOf,
  tracked,
  validateObject,
  withTemplateGeneration,
} from "@microremed/sim-kinds";
import {
  badRequest,
  conflict,
  type KubeObject,
  modifiedSinceRead,
  type NewObject,
} from "@microremed/sim-objects";
import type { ApiContext, Call } from "../context/context.ts";
import { isDryRun } from "../http/query.ts";
import type { Reply } from "../http/respond.ts";
import { mutateByHooks, validateByHooks } from "./admit.ts";
import { checkFields } from "./check-fields.ts";
import { guardShape } from "./guard-shape.ts";
import { keepSystemMetadata, placeObject, readObject } from "./incoming.ts";
import { asServed, requireObject, tableOptions } from "./read.ts";
import { acceptedForm, render } from "./representation.ts";
import { resizedPod } from "./resize.ts";
import { requireRoom } from "./room.ts";
import { writerOf } from "./writer.ts";

/** Kinds that can't be written without the resourceVersion that was read. */
const conditionalOnly = new Set(["leases", "endpointslices", "poddisruptionbudgets"]);

/** Runs a changed object through defaulting, admission and validation and stores it. `old` is as stored. `isApplied`: its owners are known. */
export function updateTo(
  context: ApiContext,
  call: Call,
  old: KubeObject,
  sent: NewObject,
  isApplied = false,
): KubeObject {
  const { store } = context;
  const ref = storageOf(call.type);
  const next = guardShape(context, call, () => prepared(context, call, old, sent, isApplied));
  requireRoom(context, call, ref, next, old);
  const isStatus = call.target.subresource === "status";
  if (isDryRun(call.query)) return imagined(next, old);
  const updated = store.update(ref, next, { status: isStatus });
  if (isStatus || !isDefinition(ref)) return updated;
  const status = settledStatus(store, updated, old, context.now());
  return store.update(ref, { ...updated, status }, { status: true });
}

function prepared(
  context: ApiContext,
  call: Call,
  old: KubeObject,
  sent: NewObject,
  isApplied: boolean,
): KubeObject {
  const { type } = call;
  const ref = storageOf(type);
  const owned = <T extends NewObject>(object: T): T =>
    isApplied ? object : tracked(object, old, writerOf(context, call));
  const writesStatus = call.target.subresource === "status";
  const placed = checkFields(call, placeObject(call, sent));
  const inStorage = type.stored ? type.stored.toStored(placed) : placed;
  const sentVersion = inStorage.metadata.resourceVersion;
  if (sentVersion && sentVersion !== old.metadata.resourceVersion) {
    throw conflict(type, old.metadata.name, modifiedSinceRead);
  }
  if (writesStatus) {
    const sentStatus = type.custom ? defaulted(type, ref, inStorage).status : inStorage.status;
    const { managedFields } = inStorage.metadata;
    const metadata = { ...old.metadata, ...(managedFields && { managedFields }) };
    const next = { ...old, metadata, status: sentStatus } as KubeObject;
    if (type.custom) validateObject(ref, type, next, old, "values");
    validateByHooks(context, call, next, old);
    return owned(next);
  }
  if (call.target.subresource === "resize") {
    const resized = resizedPod(type, old, inStorage);
    validateByHooks(context, call, resized, old);
    admitWithinLimits(context.store, ref, resized, old);
    return owned(resized);
  }
  validateObject(ref, type, inStorage, old, "shape");
  const mutated = mutateByHooks(context, call, defaulted(type, ref, inStorage), old);
  const kept = withTemplateGeneration(ref, keepSystemMetadata(mutated, old), old);
  const full = hasStatus(type) ? withStatusOf(kept, old) : kept;
  const allocated =
    ref.group === "" && ref.resource === "services"
      ? (allocateService(context.store, full, old) as KubeObject)
      : full;
  validateObject(ref, type, allocated, old, "values");
  validateByHooks(context, call, allocated, old);
  admitWithinLimits(context.store, ref, allocated, old);
  return owned(allocated);
}

function withStatusOf(object: KubeObject, old: KubeObject): KubeObject {
  const { status: _sent, ...rest } = object;
  return (old.status === undefined ? rest : { ...rest, status: old.status }) as KubeObject;
}

function imagined(object: KubeObject, old: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: old.metadata.resourceVersion } };
}

export function reply(context: ApiContext, call: Call, object: KubeObject, status = 200): Reply {
  const form = acceptedForm(call.request.headers.accept);
  return { status, body: render(call.type, asServed(call.type, object), form, tableOptions(context, call)) };
}

export async function replaceObject(context: ApiContext, call: Call): Promise<Reply> {
  const sent = readObject(call.type, await call.body());
  const old = requireObject(context, call);
  if (!sent.metadata.resourceVersion && conditionalOnly.has(call.type.resource)) {
    throw badRequest(
      `${call.type.resource}.${call.type.group} "${old.metadata.name}" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be specified for an update`,
    );
  }
  return reply(context, call, updateTo(context, call, old, sent));
}
