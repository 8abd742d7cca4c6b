import { isRecord, jsonEqual, type Loose } from "@microremed/sim-objects";
import { type FieldTree, leaf, node, union } from "./field-tree.ts";
import type { MergeRules } from "./merge-rules.ts";

const notOwned = new Set(["apiVersion", "kind"]);
const notOwnedMetadata = new Set([
  "name",
  "namespace",
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "generation",
  "managedFields",
  "selfLink",
]);
/** Maps with names of the user's own: they are members themselves. */
const openMaps = new Set(["labels", "annotations", "data", "stringData", "binaryData", "limits", "requests"]);

type Path = readonly string[];

function isOwned(path: Path, key: string): boolean {
  if (path.length === 0) return !notOwned.has(key);
  return !(path.length === 1 && path[0] === "metadata" && notOwnedMetadata.has(key));
}

/** A list's elements by their step; undefined for a list that is one value (or breaks its own rules). */
export function elementsOf(
  rules: MergeRules,
  path: Path,
  list: readonly Loose[],
): Map<string, Loose> | undefined {
  const how = rules.list(path);
  if (how === undefined) return undefined;
  const elements = new Map<string, Loose>();
  for (const item of list) {
    if (how === "set") {
      elements.set(`v:${JSON.stringify(item)}`, item);
      continue;
    }
    if (!isRecord(item)) return undefined;
    const keys = [...how].map(([key, fallback]) => [key, item[key] ?? fallback] as const).sort();
    elements.set(`k:${JSON.stringify(Object.fromEntries(keys))}`, item);
  }
  return elements;
}

/** Whether an object is owned and merged field by field. */
export function isGranular(rules: MergeRules, path: Path, value: Loose): boolean {
  return isRecord(value) && (path.length === 0 || !rules.isAtomic(path));
}

/** Every field in a value. `maps`: with the maps themselves, as a plain write owns them. */
export function fieldsOf(
  rules: MergeRules,
  value: Loose,
  maps: boolean,
  path: Path = [],
): FieldTree | undefined {
  if (Array.isArray(value)) {
    const elements = elementsOf(rules, path, value);
    if (!elements || elements.size === 0) return leaf;
    const children = [...elements].map(([step, item]) => {
      const inner = step.startsWith("k:") ? fieldsOf(rules, item, maps, path) : undefined;
      return [step, union(leaf, inner) ?? leaf] as const;
    });
    return Object.fromEntries(children);
  }
  if (!isGranular(rules, path, value)) return leaf;
  const entries = Object.entries(value).filter(([key, inner]) => isOwned(path, key) && inner !== undefined);
  if (entries.length === 0)
    return path.length > 1 || (path.length === 1 && path[0] !== "metadata") ? leaf : undefined;
  const children: Record<string, FieldTree> = {};
  for (const [key, inner] of entries) {
    const child = fieldsOf(rules, inner, maps, [...path, key]);
    if (child) children[`f:${key}`] = child;
  }
  return node(children, maps && openMaps.has(path.at(-1) ?? ""));
}

export interface Comparison {
  /** Added, or with another value. */
  readonly changed: FieldTree | undefined;
  readonly removed: FieldTree | undefined;
}

const same: Comparison = { changed: undefined, removed: undefined };

function compareParts(
  rules: MergeRules,
  path: (step: string) => Path,
  before: ReadonlyMap<string, Loose>,
  after: ReadonlyMap<string, Loose>,
): Comparison {
  const changed: Record<string, FieldTree> = {};
  const removed: Record<string, FieldTree> = {};
  const element = (step: string, tree: FieldTree | undefined): FieldTree | undefined =>
    step.startsWith("f:") ? tree : union(leaf, tree);
  for (const step of new Set([...before.keys(), ...after.keys()])) {
    const old = before.get(step);
    const now = after.get(step);
    if (old === now) continue;
    if (old === undefined || now === undefined) {
      const isValue = step.startsWith("v:");
      const tree = isValue ? leaf : element(step, fieldsOf(rules, old ?? now, true, path(step)));
      if (tree) (old === undefined ? changed : removed)[step] = tree;
      continue;
    }
    const inner = compareFields(rules, old, now, path(step));
    if (inner.changed) changed[step] = inner.changed;
    if (inner.removed) removed[step] = inner.removed;
  }
  return { changed: node(changed, false), removed: node(removed, false) };
}

const fieldsIn = (path: Path, value: Loose): Map<string, Loose> =>
  new Map(
    Object.entries(value).flatMap(([key, inner]) =>
      isOwned(path, key) && inner !== undefined ? [[`f:${key}`, inner]] : [],
    ),
  );

/** What a write changed. */
export function compareFields(rules: MergeRules, before: Loose, after: Loose, path: Path = []): Comparison {
  if (before === after) return same;
  if (isGranular(rules, path, before) && isGranular(rules, path, after)) {
    const at = (step: string): Path => [...path, step.slice(2)];
    return compareParts(rules, at, fieldsIn(path, before), fieldsIn(path, after));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const old = elementsOf(rules, path, before);
    const now = elementsOf(rules, path, after);
    if (old && now) return compareParts(rules, () => path, old, now);
  }
  return jsonEqual(before, after) ? same : { changed: leaf, removed: undefined };
}
