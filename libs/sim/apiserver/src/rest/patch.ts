import {
  applyConfiguration,
  jsonPatch,
  mergePatch,
  type ResourceType,
  storageOf,
  strategicMerge,
  undeclaredFields,
} from "@microremed/sim-kinds";
import {
  badRequest,
  invalid,
  isRecord,
  type KubeObject,
  type Loose,
  type NewObject,
  notFound,
  StatusError,
} from "@microremed/sim-objects";
import type { ApiContext, Call } from "../context/context.ts";
import { mediaType } from "../http/body.ts";
import { boolParam } from "../http/query.ts";
import type { Reply } from "../http/respond.ts";
import { DecodingError, decoded } from "./check-fields.ts";
import { createFrom } from "./create.ts";
import { dropNulls, placeObject, readObject } from "./incoming.ts";
import { asServed, requireObject } from "./read.ts";
import { reply, updateTo } from "./update.ts";
import { writerOf } from "./writer.ts";

const strategicType = "application/strategic-merge-patch+json";
const applyType = "application/apply-patch+yaml";

function isCustom(type: ResourceType): boolean {
  return type.custom !== undefined || type.installed !== undefined;
}

function unsupportedPatch(type: ResourceType): StatusError {
  const accepted = [
    "application/json-patch+json",
    "application/merge-patch+json",
    ...(isCustom(type) ? [] : [strategicType]),
    applyType,
  ];
  return new StatusError(
    415,
    "UnsupportedMediaType",
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`,
  );
}

/** `original`, which stays as it is, with the changes of a patch, which the content type says how to read. */
export function patched(
  type: ResourceType,
  kind: string,
  contentType: string,
  original: Loose,
  patch: Loose,
): Loose {
  if (contentType === "application/json-patch+json") return jsonPatch(original, patch);
  if (!isRecord(patch)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${Array.isArray(patch) ? "array" : typeof patch} into Go value of type map[string]interface {}`,
    );
  }
  if (contentType === "application/merge-patch+json" || contentType === "application/json") {
    return mergePatch(original, patch);
  }
  if (contentType === strategicType && !isCustom(type)) {
    return strategicMerge(kind, original, patch);
  }
  throw unsupportedPatch(type);
}

/** Server-side apply: creates the object when it is missing. */
async function applyObject(context: ApiContext, call: Call): Promise<Reply> {
  const { type, query } = call;
  const manager = query.get("fieldManager");
  if (!manager) {
    throw new StatusError(
      422,
      "Invalid",
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    );
  }
  const configuration = placeObject(call, readObject(type, dropNulls(await call.body())));
  const live = context.store.get(storageOf(type), call.target.namespace, call.target.name ?? "");
  const options = { ...writerOf(context, call), force: boolParam(query, "force") };
  const { unknown } = decoded(type, configuration);
  if (unknown.length > 0) throw undeclaredFields(options.rules, configuration, unknown);
  const subresource = call.target.subresource;
  if (!live) {
    if (subresource) throw notFound(type, call.target.name ?? "");
    const merged = applyConfiguration(undefined, configuration, options);
    return reply(context, call, createFrom(context, call, merged, true), 201);
  }
  const merged = applyConfiguration(asServed(type, live), configuration, options);
  return reply(context, call, updateTo(context, call, live, merged, true));
}

/** A value as Go's `%+v` prints it. */
function goText(value: Loose): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
  if (!isRecord(value)) return value === null ? "<nil>" : String(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, inner]) => `${key}:${goText(inner)}`).join(" ")}]`;
}

/** The patch, or for the plainer kinds of patches what it made, is at fault. */
function invalidPatch(error: DecodingError, isStrategic: boolean, patch: Loose, result: Loose): StatusError {
  const shown = isStrategic ? goText(patch) : JSON.stringify(result);
  const message = `Invalid value: ${JSON.stringify(shown)}: ${isStrategic ? error.converted : error.what}`;
  return invalid({ group: "", kind: "" }, "", [{ reason: "FieldValueInvalid", message, field: "patch" }]);
}

export async function patchObject(context: ApiContext, call: Call): Promise<Reply> {
  const contentType = mediaType(call.request.headers["content-type"]);
  if (contentType === applyType) return applyObject(context, call);
  const patch = await call.body();
  const old = requireObject(context, call);
  const served: KubeObject = asServed(call.type, old);
  const result: Loose = patched(call.type, call.type.kind, contentType, served, patch);
  const next: NewObject = readObject(call.type, result);
  try {
    return reply(context, call, updateTo(context, call, old, next));
  } catch (error) {
    if (!(error instanceof DecodingError)) throw error;
    throw invalidPatch(error, contentType === strategicType, patch, result);
  }
}
