import type { Json, KubeObject, NewObject } from "../../objects.ts";
import { jsonEqual } from "../../store/json-equal.ts";
import { rfc3339 } from "../../store/rfc3339.ts";
import { type StatusCause, StatusError } from "../../store/status-error.ts";
import { isRecord, type Loose } from "../loose.ts";
import { type FieldSet, fieldSetOf, parseFieldSet, removeFields } from "./field-set.ts";
import { strategicMerge } from "./strategic-merge.ts";

export interface ApplyOptions {
  readonly manager: string;
  /** Take fields over from other managers instead of failing. */
  readonly force: boolean;
  /** Cluster time, ms since the epoch. */
  readonly now: number;
  readonly kind: string;
}

interface ManagedEntry {
  readonly manager: string;
  readonly operation: string;
  readonly apiVersion: string;
  readonly time: string;
  readonly fieldsType: string;
  readonly fieldsV1: Loose;
}

function entriesOf(object: KubeObject | undefined): ManagedEntry[] {
  const entries: unknown[] = [...(object?.metadata.managedFields ?? [])];
  return entries.filter(
    (entry): entry is ManagedEntry => isRecord(entry) && typeof entry["manager"] === "string",
  );
}

/** Fields that another manager applied with another value. */
function conflicts(
  live: NewObject,
  merged: NewObject,
  wanted: FieldSet,
  others: readonly ManagedEntry[],
  kind: string,
): StatusCause[] {
  const causes: StatusCause[] = [];
  for (const other of others) {
    for (const [path, field] of parseFieldSet(other.fieldsV1)) {
      if (!wanted.has(path)) continue;
      if (jsonEqual(fieldSetOf(live, kind).get(path)?.value, fieldSetOf(merged, kind).get(path)?.value))
        continue;
      causes.push({
        reason: "FieldManagerConflict",
        message: `conflict with ${JSON.stringify(other.manager)} using ${other.apiVersion}`,
        field: field.text,
      });
    }
  }
  return causes;
}

/**
 * Server-side apply. Merges the configuration into the live object, removes what the same manager applied before and
 * no longer does, and keeps one managedFields entry per manager. Throws 409 when another applier owns a field with
 * another value, unless forced. Only appliers own fields here: plain updates take no ownership.
 */
export function applyConfiguration(
  live: KubeObject | undefined,
  configuration: NewObject,
  options: ApplyOptions,
): NewObject {
  const { managedFields: _sent, ...ownMetadata } = configuration.metadata;
  const wanted: NewObject = { ...configuration, metadata: ownMetadata };
  const fields = fieldSetOf(wanted, options.kind);
  const entries = entriesOf(live);
  const mine = entries.find((entry) => entry.manager === options.manager && entry.operation === "Apply");
  const others = entries.filter((entry) => entry !== mine && entry.operation === "Apply");
  let result: NewObject = wanted;
  if (live) {
    const kept = new Set([
      ...fields.keys(),
      ...others.flatMap((entry) => [...parseFieldSet(entry.fieldsV1).keys()]),
    ]);
    const dropped = mine ? [...parseFieldSet(mine.fieldsV1)].filter(([path]) => !kept.has(path)) : [];
    const pruned = removeFields(
      live,
      dropped.map(([, field]) => field),
    );
    result = strategicMerge(options.kind, pruned, wanted);
    const found = options.force ? [] : conflicts(live, result, fields, others, options.kind);
    if (found.length > 0) {
      const list = found.map((cause) => `- ${cause.field}`).join("\n");
      throw new StatusError(
        409,
        "Conflict",
        `Apply failed with ${found.length} conflict${found.length > 1 ? "s" : ""}: ${found[0]?.message}: ${found.length > 1 ? `\n${list}` : found[0]?.field}`,
        { causes: found },
      );
    }
  }
  const written = fields.toJson();
  const unchanged = mine !== undefined && live !== undefined && jsonEqual(mine.fieldsV1, written);
  const entry: ManagedEntry = {
    manager: options.manager,
    operation: "Apply",
    apiVersion: configuration.apiVersion,
    time: unchanged ? mine.time : rfc3339(options.now),
    fieldsType: "FieldsV1",
    fieldsV1: written,
  };
  const kept = entries.filter((candidate) => candidate !== mine);
  const managedFields = [...kept, entry] as unknown as readonly Json[];
  return { ...result, metadata: { ...result.metadata, managedFields } };
}
