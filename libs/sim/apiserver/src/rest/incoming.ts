import { apiVersionOf, modelOf, type ResourceType } from "@microremed/sim-kinds";
import {
  badRequest,
  isRecord,
  type KubeObject,
  type Loose,
  type NewObject,
  type ObjectMeta,
} from "@microremed/sim-objects";
import type { Call } from "../context/context.ts";

/** Without what is null, in every depth. */
export function dropNulls(value: Loose): Loose {
  if (Array.isArray(value)) return value.map(dropNulls);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(kept.map(([key, inner]) => [key, dropNulls(inner)]));
}

/**
 * A null field is an absent one. What is null inside the fields of a built-in kind is left to `decode`, which knows the
 * types: Go reads a null in a map of strings as "".
 */
function withoutNulls(type: ResourceType, body: unknown): Loose {
  if (type.custom || modelOf(type) === undefined || !isRecord(body)) return dropNulls(body);
  const object = withoutNullFields(body);
  const { metadata } = object;
  if (!isRecord(metadata)) return object;
  const fields = withoutNullFields(metadata);
  const texts = stringMaps.flatMap((name) =>
    isRecord(fields[name]) ? [[name, nullsAsText(fields[name])]] : [],
  );
  return { ...object, metadata: { ...fields, ...Object.fromEntries(texts) } };
}

function withoutNullFields(record: Loose): Loose {
  return Object.fromEntries(
    Object.entries(record).filter(([, inner]) => inner !== null && inner !== undefined),
  );
}

const nullsAsText = (map: Loose): Loose =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, value ?? ""]));

const stringMaps = ["labels", "annotations"] as const;

function readMetadata(type: ResourceType, given: unknown): Partial<ObjectMeta> {
  if (given === undefined) return {};
  const where = `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: json: cannot unmarshal`;
  if (!isRecord(given)) {
    throw badRequest(
      `${where} ${goType(given)} into Go struct field ${type.kind}.metadata of type v1.ObjectMeta`,
    );
  }
  for (const field of ["name", "namespace", "generateName", "resourceVersion", "uid"]) {
    const value = given[field];
    if (value !== undefined && typeof value !== "string") {
      throw badRequest(
        `${where} ${goType(value)} into Go struct field ObjectMeta.metadata.${field} of type string`,
      );
    }
  }
  for (const field of stringMaps) {
    const map = given[field];
    if (map === undefined) continue;
    const wrong = isRecord(map) ? Object.values(map).find((value) => typeof value !== "string") : map;
    if (wrong !== undefined) {
      throw badRequest(
        `${where} ${goType(wrong)} into Go struct field ObjectMeta.metadata.${field} of type ${isRecord(map) ? "string" : "map[string]string"}`,
      );
    }
  }
  for (const field of ["finalizers", "ownerReferences"]) {
    if (given[field] !== undefined && !Array.isArray(given[field])) {
      throw badRequest(
        `${where} ${goType(given[field])} into Go struct field ObjectMeta.metadata.${field} of type []string`,
      );
    }
  }
  const { managedFields } = given;
  if (!Array.isArray(managedFields)) return given as Partial<ObjectMeta>;
  // Clients with dates of their own send fractions of a second.
  const whole = managedFields.map((entry) =>
    typeof entry?.time === "string" ? { ...entry, time: entry.time.replace(/\.\d+Z$/, "Z") } : entry,
  );
  return { ...given, managedFields: whole } as Partial<ObjectMeta>;
}

/** The name that Go's JSON decoder gives to a value's type in its errors. */
function goType(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value;
}

/** A request body as an object of the requested type. Throws 400 when it is something else. */
export function readObject(type: ResourceType, body: unknown): NewObject {
  const value = withoutNulls(type, body);
  if (!isRecord(value)) {
    throw badRequest(
      body === undefined
        ? `Object 'Kind' is missing in ''`
        : `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: json: cannot unmarshal ${goType(body)} into Go value of type ${type.version}.${type.kind}`,
    );
  }
  const expected = apiVersionOf(type);
  const { apiVersion = expected, kind = type.kind } = value;
  if (apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  if (kind !== type.kind) {
    throw badRequest(
      `the kind in the data (${kind}) does not match the expected kind (${type.kind}): no kind ${JSON.stringify(kind)} is registered for this path`,
    );
  }
  return { ...value, apiVersion, kind, metadata: readMetadata(type, value["metadata"]) } as NewObject;
}

/** Puts the request's namespace and name on the object; throws 400 when the object says another. */
export function placeObject(call: Call, object: NewObject): NewObject {
  const { namespace, name } = call.target;
  const own = object.metadata;
  if (namespace !== undefined && own.namespace && own.namespace !== namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  if (name !== undefined && own.name && own.name !== name) {
    throw badRequest(`the name of the object (${own.name}) does not match the name on the URL (${name})`);
  }
  const { namespace: _given, ...metadata } = own;
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(name !== undefined && { name }),
      ...(call.type.namespaced && namespace !== undefined && { namespace }),
    },
  } as NewObject;
}

/** What stays the stored object's own whatever a client sends. */
export function keepSystemMetadata(object: NewObject, old: KubeObject): KubeObject {
  const { generation, creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds, uid } = old.metadata;
  const {
    generation: _generation,
    deletionTimestamp: _deletion,
    deletionGracePeriodSeconds: _grace,
    uid: sentUid,
    ...sent
  } = object.metadata;
  return {
    ...object,
    metadata: {
      ...sent,
      name: old.metadata.name,
      ...(old.metadata.namespace !== undefined && { namespace: old.metadata.namespace }),
      uid: sentUid || uid,
      creationTimestamp,
      resourceVersion: sent.resourceVersion ?? "",
      ...(generation !== undefined && { generation }),
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
      ...(deletionGracePeriodSeconds !== undefined && { deletionGracePeriodSeconds }),
    },
  } as KubeObject;
}
