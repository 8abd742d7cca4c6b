import {
  isRecord,
  jsonEqual,
  type KubeObject,
  type Loose,
  type NewObject,
  type StatusCause,
  StatusError,
} from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import { compareFields, fieldsOf } from "./field-set.ts";
import {
  difference,
  type FieldTree,
  intersection,
  leaf,
  memberPaths,
  union,
  withElements,
} from "./field-tree.ts";
import { entriesOf, type ManagedEntry, type Writer, without, written } from "./managed-fields.ts";
import { structuredMerge, withoutFields } from "./structured-merge.ts";

export interface ApplyOptions extends Writer {
  /** Take fields over from other managers instead of failing. */
  readonly force: boolean;
}

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/** Everything of an object that was never written through the API belongs to this manager. */
function beforeFirstApply(live: KubeObject, { rules }: Writer): ManagedEntry {
  const { status: _status, ...rest } = live;
  return {
    manager: "before-first-apply",
    operation: "Update",
    apiVersion: live.apiVersion,
    time: live.metadata.creationTimestamp,
    fieldsV1: fieldsOf(rules, rest, true) ?? leaf,
  };
}

/** Fields that kubectl's client-side apply set and that are unchanged since: kubectl may take them over. */
function takenOver(live: KubeObject, { manager, rules }: Writer): FieldTree | undefined {
  const text = live.metadata.annotations?.[lastApplied];
  if (manager !== "kubectl" || text === undefined) return undefined;
  try {
    const configuration: Loose = JSON.parse(text);
    if (!isRecord(configuration)) return undefined;
    const { changed, removed } = compareFields(rules, live, configuration);
    const own = fieldsOf(rules, configuration, true);
    const noted = { "f:metadata": { "f:annotations": { [`f:${lastApplied}`]: leaf } } };
    return union(difference(difference(own, changed), removed), noted);
  } catch {
    return undefined;
  }
}

function nameOf({ manager, operation, apiVersion, subresource }: ManagedEntry): string {
  const where = subresource === undefined ? "" : ` with subresource ${JSON.stringify(subresource)}`;
  return `${JSON.stringify(manager)}${where}${operation === "Update" ? ` using ${apiVersion}` : ""}`;
}

function conflict(found: readonly (readonly [ManagedEntry, FieldTree])[]): StatusError {
  const lists = found.map(([entry, fields]) => ({ name: nameOf(entry), paths: memberPaths(fields) }));
  const causes = lists.flatMap(({ name, paths }) =>
    paths.map(
      (field): StatusCause => ({ reason: "FieldManagerConflict", message: `conflict with ${name}`, field }),
    ),
  );
  const many = lists.map(({ name, paths }) =>
    [`conflicts with ${name}:`, ...paths.map((path) => `- ${path}`)].join("\n"),
  );
  const message =
    causes.length === 1
      ? `Apply failed with 1 conflict: ${causes[0]?.message}: ${causes[0]?.field}`
      : `Apply failed with ${causes.length} conflicts: ${many.join("\n")}`;
  return new StatusError(409, "Conflict", message, { causes });
}

function ownParts(object: NewObject): object {
  const { managedFields: _fields, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** Merges into what is stored. Returns the object and the others' entries as they are afterwards. */
function mergeInto(
  live: KubeObject,
  wanted: NewObject,
  fields: FieldTree,
  mine: ManagedEntry | undefined,
  others: readonly ManagedEntry[],
  options: ApplyOptions,
): { readonly object: NewObject; readonly others: readonly ManagedEntry[] } {
  const { rules, force } = options;
  const merged: NewObject = structuredMerge(rules, ownParts(live), wanted);
  const { changed } = compareFields(rules, live, merged);
  const allowed = takenOver(live, options);
  const found = others.flatMap((entry) => {
    const disputed = intersection(entry.fieldsV1, changed);
    return disputed ? [[entry, disputed] as const] : [];
  });
  const open = found.filter(([, disputed]) => difference(disputed, allowed));
  if (open.length > 0 && !force) throw conflict(open);
  const left = without(others, changed);
  const kept = left.reduce<FieldTree | undefined>(
    (all, entry) => union(all, withElements(entry.fieldsV1)),
    withElements(fields),
  );
  // A map that still holds something is no field of its own that could go.
  const present = withElements(fieldsOf(rules, merged, false) ?? leaf);
  const dropped = intersection(difference(mine?.fieldsV1, kept), present);
  return { object: dropped ? withoutFields(rules, merged, dropped) : merged, others: left };
}

/**
 * Server-side apply. Merges the configuration into the live object, removes what the same manager applied before and
 * neither applies now nor shares with anybody, and notes who owns what. Throws 409 when another manager owns a field
 * that would change, unless forced.
 */
export function applyConfiguration(
  live: KubeObject | undefined,
  configuration: NewObject,
  options: ApplyOptions,
): NewObject {
  const { manager, subresource, rules, now } = options;
  const wanted: NewObject = ownParts(configuration) as NewObject;
  const { status, ...rest } = wanted;
  const part = subresource === "status" ? { apiVersion: wanted.apiVersion, kind: wanted.kind, status } : rest;
  const fields = fieldsOf(rules, part, false) ?? leaf;
  const known = entriesOf(live);
  const entries = live && known.length === 0 ? [beforeFirstApply(live, options)] : known;
  const mine = entries.find(
    (entry) => entry.manager === manager && entry.operation === "Apply" && entry.subresource === subresource,
  );
  const others = entries.filter((entry) => entry !== mine);
  const merged = live
    ? mergeInto(live, (subresource === "status" ? part : rest) as NewObject, fields, mine, others, options)
    : { object: rest as NewObject, others };
  const unchanged = mine !== undefined && jsonEqual(mine.fieldsV1, fields);
  const entry: ManagedEntry = {
    manager,
    operation: "Apply",
    apiVersion: configuration.apiVersion,
    time: (unchanged ? mine.time : undefined) ?? rfc3339(now),
    fieldsV1: fields,
    ...(subresource !== undefined && { subresource }),
  };
  const place = mine ? entries.indexOf(mine) : entries.length;
  const before = merged.others.filter(
    (other) => entries.findIndex((each) => sameWriter(each, other)) < place,
  );
  const after = merged.others.filter((other) => !before.includes(other));
  const managedFields = written([...before, entry, ...after]);
  return { ...merged.object, metadata: { ...merged.object.metadata, managedFields } };
}

function sameWriter(a: ManagedEntry, b: ManagedEntry): boolean {
  return a.manager === b.manager && a.operation === b.operation && a.subresource === b.subresource;
}
