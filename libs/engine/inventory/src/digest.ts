import { createHash } from "node:crypto";
import type { KubeObject } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { normalise } from "./normalise.ts";

/** Equal for two objects whose desired fields are equal. 16 characters of base64url. */
export function digestOf(object: KubeObject): string {
  return digestOfValue(normalise(object));
}

/** Of what an object is to do and whether it is paused, without what its controller notes on it. */
export function purposeOf({ apiVersion, kind, metadata, spec, ...rest }: KubeObject): string {
  const { name, labels, annotations } = metadata;
  const { status: _status, ...data } = rest;
  const purpose = { ...data, apiVersion, kind, metadata: { name, labels, annotations }, spec };
  return digestOfValue(normalise(purpose as KubeObject));
}

/** Of what a former revision of a workload would bring back: a ReplicaSet's template, a ControllerRevision's data. */
export function revisionOf({ spec, data }: KubeObject): string {
  return digestOfValue((isJsonObject(spec) ? spec["template"] : undefined) ?? data ?? null);
}

/** Equal for two values whose JSON is equal. */
export function digestOfValue(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 16);
}
