import {
  fieldSelector,
  labelSelector,
  type Predicate,
  type ResourceType,
  requireFields,
  storageOf,
} from "@microremed/sim-kinds";
import { badRequest, type KubeObject, notFound, StatusError } from "@microremed/sim-objects";
import type { ApiContext, ReadCall } from "../context/context.ts";
import { intParam } from "../http/query.ts";
import type { Reply } from "../http/respond.ts";
import { acceptedForm, render, renderList, type TableOptions } from "./representation.ts";

export function tableOptions(context: ApiContext, call: ReadCall): TableOptions {
  const includeObject = call.query.get("includeObject");
  return { now: context.now(), includeObject, withColumns: true, json: context.json };
}

/** The stored object as the requested version shows it. */
export function asServed(type: ResourceType, object: KubeObject): KubeObject {
  return type.stored ? type.stored.fromStored(object) : object;
}

/** Label and field selectors of the query, and the name when the request names one object. */
export function selected({ query, target, type }: ReadCall): Predicate {
  const labels = query.get("labelSelector");
  const fields = query.get("fieldSelector");
  const tests: Predicate[] = [];
  if (labels) tests.push(labelSelector(labels));
  if (fields) {
    requireFields(type, fields);
    const test = fieldSelector(fields);
    tests.push(type.stored ? (object) => test(asServed(type, object)) : test);
  }
  if (target.name !== undefined) tests.push((object) => object.metadata.name === target.name);
  return (object) => tests.every((test) => test(object));
}

/** The stored object that a request names. Throws 404. */
export function requireObject(context: ApiContext, call: ReadCall): KubeObject {
  const { type, target } = call;
  const name = target.name ?? "";
  const object = context.store.get(storageOf(type), target.namespace, name);
  if (!object) throw notFound(type, name);
  return object;
}

export function getObject(context: ApiContext, call: ReadCall): Reply {
  const object = asServed(call.type, requireObject(context, call));
  const form = acceptedForm(call.request.headers.accept);
  return { status: 200, body: render(call.type, object, form, tableOptions(context, call)) };
}

interface Page {
  readonly items: readonly KubeObject[];
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

interface ContinueToken {
  readonly version: number;
  readonly after: string;
}

function readToken(text: string): ContinueToken {
  try {
    const token = JSON.parse(Buffer.from(text, "base64url").toString("utf8")) as Partial<ContinueToken>;
    if (typeof token.after === "string" && typeof token.version === "number") {
      return { after: token.after, version: token.version };
    }
  } catch {
    // Said below, as for any other text that is no token of ours.
  }
  throw badRequest("continue key is not valid");
}

const keyOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ""}/${metadata.name}`;

function pageOf(objects: readonly KubeObject[], query: URLSearchParams, version: number): Page {
  const limit = intParam(query, "limit") ?? 0;
  if (limit < 0) throw new StatusError(400, "BadRequest", "limit must be a positive number");
  const given = query.get("continue");
  const after = given ? readToken(given).after : undefined;
  const rest = after === undefined ? objects : objects.filter((object) => keyOf(object) > after);
  const last = limit > 0 && rest.length > limit ? rest[limit - 1] : undefined;
  if (!last) return { items: rest };
  const token: ContinueToken = { version, after: keyOf(last) };
  return {
    items: rest.slice(0, limit),
    continue: Buffer.from(JSON.stringify(token)).toString("base64url"),
    remainingItemCount: rest.length - limit,
  };
}

/** Lists that clients are in the middle of reading, so that every page shows the same moment; the oldest goes. */
const begun = new WeakMap<ApiContext["store"], Map<string, readonly KubeObject[]>>();
const maxBegun = 64;

function remember(context: ApiContext, key: string, objects: readonly KubeObject[]): void {
  const lists = begun.get(context.store) ?? new Map<string, readonly KubeObject[]>();
  begun.set(context.store, lists);
  lists.delete(key);
  lists.set(key, objects);
  const [oldest] = lists.keys();
  if (lists.size > maxBegun && oldest !== undefined) lists.delete(oldest);
}

export function listObjects(context: ApiContext, call: ReadCall): Reply {
  const { type, target, query } = call;
  const matches = selected(call);
  const ref = storageOf(type);
  const token = query.get("continue");
  const version = token ? readToken(token).version : context.store.resourceVersion;
  const key = `${context.store.restores} ${version} ${ref.group}/${ref.resource} ${target.namespace ?? ""}`;
  const objects = (token && begun.get(context.store)?.get(key)) || context.store.list(ref, target.namespace);
  const { items: found, ...more } = pageOf(objects.filter(matches), query, version);
  if (more.continue !== undefined) remember(context, key, objects);
  const metadata = { resourceVersion: String(version), ...more };
  const form = acceptedForm(call.request.headers.accept);
  const items = found.map((object) => asServed(type, object));
  return { status: 200, body: renderList(type, items, metadata, form, tableOptions(context, call)) };
}
