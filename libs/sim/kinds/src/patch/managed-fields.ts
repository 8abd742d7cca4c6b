import { isRecord, type Json, jsonEqual, type KubeObject, type NewObject } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import { compareFields, fieldsOf } from "./field-set.ts";
import { difference, type FieldTree, readTree, union } from "./field-tree.ts";
import type { MergeRules } from "./merge-rules.ts";

/** One entry of metadata.managedFields. */
export interface ManagedEntry {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  /** RFC 3339. */
  readonly time?: string;
  readonly fieldsV1: FieldTree;
  readonly subresource?: string;
}

/** Who writes, and when. */
export interface Writer {
  readonly manager: string;
  readonly subresource: string | undefined;
  /** Cluster time, ms since the epoch. */
  readonly now: number;
  readonly rules: MergeRules;
}

/** A real server merges older ones into one entry of this name. */
const oldest = "ancient-changes";
/** Kubernetes' DefaultMaxUpdateManagers: older entries of Update are merged into one. */
const maxUpdaters = 10;

/** Trees that are known to be field sets: stored ones are read again at every write, and never change. */
const verified = new WeakSet<FieldTree>();

function verifiedTree(value: unknown): FieldTree | undefined {
  if (!isRecord(value)) return undefined;
  if (verified.has(value)) return value;
  const tree = readTree(value);
  if (tree) verified.add(tree);
  return tree;
}

function readEntry(value: unknown): ManagedEntry[] {
  if (!isRecord(value)) return [];
  const { manager, operation, apiVersion, time, fieldsV1, subresource } = value;
  const fields = verifiedTree(fieldsV1);
  if (typeof manager !== "string" || (operation !== "Apply" && operation !== "Update") || !fields) return [];
  return [
    {
      manager,
      operation,
      apiVersion: String(apiVersion ?? ""),
      ...(typeof time === "string" && { time }),
      fieldsV1: fields,
      ...(typeof subresource === "string" && subresource !== "" && { subresource }),
    },
  ];
}

export function entriesOf(object: NewObject | undefined): ManagedEntry[] {
  return (object?.metadata.managedFields ?? []).flatMap(readEntry);
}

/** As stored in the object. */
export function written(entries: readonly ManagedEntry[]): readonly Json[] {
  return entries.map(({ manager, operation, apiVersion, time, fieldsV1, subresource }) => {
    verified.add(fieldsV1);
    return {
      manager,
      operation,
      apiVersion,
      ...(time !== undefined && { time }),
      fieldsType: "FieldsV1",
      fieldsV1,
      ...(subresource !== undefined && { subresource }),
    };
  });
}

/** The entries without the fields that another manager has taken or removed. */
export function without(entries: readonly ManagedEntry[], fields: FieldTree | undefined): ManagedEntry[] {
  if (!fields) return [...entries];
  return entries.flatMap((entry) => {
    const left = difference(entry.fieldsV1, fields);
    return left ? [jsonEqual(left, entry.fieldsV1) ? entry : { ...entry, fieldsV1: left }] : [];
  });
}

function bounded(entries: readonly ManagedEntry[]): readonly ManagedEntry[] {
  const updaters = entries.filter(({ operation }) => operation === "Update");
  const surplus = new Set(updaters.slice(0, Math.max(0, updaters.length - maxUpdaters)));
  if (surplus.size === 0) return entries;
  const merged = [...surplus].reduce<FieldTree | undefined>(
    (all, { fieldsV1 }) => union(all, fieldsV1),
    undefined,
  );
  const [first] = surplus;
  const kept = entries.filter((entry) => !surplus.has(entry));
  return first && merged ? [{ ...first, manager: oldest, fieldsV1: merged }, ...kept] : kept;
}

const statusOnly = (object: NewObject): object => ({ status: object.status });

function withoutStatus({ status: _status, ...rest }: NewObject): object {
  return rest;
}

const changes = (list: readonly Json[] | undefined, old: readonly Json[] | undefined): boolean =>
  list !== undefined && !jsonEqual(list, old);

/**
 * The object of a plain create or update (`old`: what was stored) with who owns what: the writer all that it set or
 * changed, others no longer what it changed. A client may also send managedFields of its own: an empty list or `[{}]`
 * clears them.
 */
export function tracked<T extends NewObject>(object: T, old: KubeObject | undefined, writer: Writer): T {
  const { manager, subresource, now, rules } = writer;
  const { managedFields: sent, ...metadata } = object.metadata;
  const before = old?.metadata.managedFields;
  const isOwn = changes(sent, before);
  const base = entriesOf(isOwn ? object : old);
  if (isOwn && base.length === 0 && old) return { ...object, metadata };
  const part = subresource === "status" ? statusOnly : withoutStatus;
  const { changed, removed } = old
    ? compareFields(rules, part(old), part(object))
    : { changed: fieldsOf(rules, part(object), true), removed: undefined };
  const kept = (list: readonly Json[] | undefined): T =>
    ({ ...object, metadata: { ...metadata, ...(list && list.length > 0 && { managedFields: list }) } }) as T;
  if (!changed && !removed) return kept(isOwn ? written(base) : before);
  const isMine = (entry: ManagedEntry): boolean =>
    entry.manager === manager && entry.operation === "Update" && entry.subresource === subresource;
  const mine = base.find(isMine);
  const others = without(
    without(
      base.filter((entry) => entry !== mine),
      changed,
    ),
    removed,
  );
  const fields = union(difference(mine?.fieldsV1, removed), changed);
  if (!fields) return kept(written(others));
  // The time is that of the last value that was set; what only takes fields away leaves it as it is.
  const entry: ManagedEntry = {
    manager,
    operation: "Update",
    apiVersion: object.apiVersion,
    time: (changed ? undefined : mine?.time) ?? rfc3339(now),
    fieldsV1: fields,
    ...(subresource !== undefined && { subresource }),
  };
  return kept(written(bounded([...others, entry])));
}
