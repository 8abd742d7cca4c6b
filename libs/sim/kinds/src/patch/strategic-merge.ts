import { badRequest, isRecord, jsonEqual, type Loose, type LooseRecord } from "@microremed/sim-objects";
import { listMerge, replacesWhole } from "./merge-keys.ts";

const orderPrefix = "$setElementOrder/";
const deletePrefix = "$deleteFromPrimitiveList/";

type Path = readonly string[];

function isDirective(key: string): boolean {
  return (
    key === "$patch" || key === "$retainKeys" || key.startsWith(orderPrefix) || key.startsWith(deletePrefix)
  );
}

/** Left: elements that the patch puts in order; right: those only the server knows. Each keeps its own order. */
function interleave(
  left: readonly Loose[],
  right: readonly Loose[],
  before: (l: Loose, r: Loose) => boolean,
): Loose[] {
  const result: Loose[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    if (r >= right.length || (l < left.length && before(left[l], right[r]))) result.push(left[l++]);
    else result.push(right[r++]);
  }
  return result;
}

function reorder(
  list: readonly Loose[],
  original: readonly Loose[],
  order: readonly Loose[],
  idOf: (item: Loose) => unknown,
): Loose[] {
  const place = (items: readonly Loose[], item: Loose): number =>
    items.findIndex((candidate) => idOf(candidate) === idOf(item));
  const ordered = list
    .filter((item) => place(order, item) >= 0)
    .sort((a, b) => place(order, a) - place(order, b));
  const others = list.filter((item) => place(order, item) < 0);
  return interleave(ordered, others, (a, b) => {
    const at = place(original, a);
    return at < 0 || at < place(original, b);
  });
}

function mergeKeyed(
  kind: string,
  path: Path,
  key: string,
  original: readonly Loose[],
  patch: readonly Loose[],
): Loose[] {
  const replace = patch.some((item) => item?.$patch === "replace");
  const items = patch.filter((item) => item?.$patch !== "replace" || Object.keys(item).length > 1);
  let result = replace ? [] : [...original];
  for (const item of items) {
    if (!isRecord(item) || item[key] === undefined) {
      throw badRequest(`map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`);
    }
    const at = result.findIndex((candidate) => isRecord(candidate) && candidate[key] === item[key]);
    if (item["$patch"] === "delete") result = result.filter((candidate) => candidate[key] !== item[key]);
    else if (at < 0) result.push(mergeMap(kind, path, {}, item));
    else result[at] = mergeMap(kind, path, result[at], item);
  }
  return result;
}

function mergeList(kind: string, path: Path, original: Loose, patch: readonly Loose[]): Loose[] {
  const how = listMerge(kind, path);
  const old: readonly Loose[] = Array.isArray(original) ? original : [];
  if (how === undefined) return patch.map((item) => stripDirectives(item));
  if (how === "set") return [...old, ...patch.filter((item) => !old.includes(item))];
  return mergeKeyed(kind, path, how.key, old, patch);
}

function stripDirectives(value: Loose): Loose {
  if (Array.isArray(value)) return value.map(stripDirectives);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([key, inner]) => !isDirective(key) && inner !== null);
  return Object.fromEntries(kept.map(([key, inner]) => [key, stripDirectives(inner)]));
}

function applyListDirectives(
  kind: string,
  path: Path,
  result: LooseRecord,
  original: LooseRecord,
  patch: LooseRecord,
): void {
  for (const [directive, value] of Object.entries(patch)) {
    if (!Array.isArray(value)) continue;
    if (directive.startsWith(deletePrefix)) {
      const field = directive.slice(deletePrefix.length);
      const list: Loose[] = Array.isArray(result[field]) ? result[field] : [];
      result[field] = list.filter((item) => !value.some((gone) => jsonEqual(gone, item)));
    }
    if (directive.startsWith(orderPrefix)) {
      const field = directive.slice(orderPrefix.length);
      const how = listMerge(kind, [...path, field]);
      if (how === undefined || !Array.isArray(result[field])) continue;
      const idOf = (item: Loose): unknown => (how === "set" ? item : item?.[how.key]);
      const before = Array.isArray(original[field]) ? original[field] : [];
      result[field] = reorder(result[field], before, value, idOf);
    }
  }
}

function mergeMap(kind: string, path: Path, original: Loose, patch: LooseRecord): LooseRecord {
  const directive = patch["$patch"];
  if (directive === "replace") return stripDirectives(patch);
  if (directive === "delete") return {};
  if (directive !== undefined && directive !== "merge") {
    throw badRequest(`unknown patch type found: ${JSON.stringify(directive)}`);
  }
  const before: LooseRecord = isRecord(original) ? original : {};
  const result: LooseRecord = { ...before };
  for (const [key, value] of Object.entries(patch)) {
    if (isDirective(key)) continue;
    const inner = [...path, key];
    if (value === null) delete result[key];
    else if (Array.isArray(value)) result[key] = mergeList(kind, inner, result[key], value);
    else if (isRecord(value) && !replacesWhole(kind, inner)) {
      if (value["$patch"] === "delete") delete result[key];
      else result[key] = mergeMap(kind, inner, result[key], value);
    } else result[key] = stripDirectives(value);
  }
  applyListDirectives(kind, path, result, before, patch);
  const retained = patch["$retainKeys"];
  if (Array.isArray(retained)) {
    for (const key of Object.keys(result)) if (!retained.includes(key)) delete result[key];
  }
  return result;
}

/** Kubernetes' strategic merge patch for one of the built-in kinds. Throws 400 for what cannot be merged. */
export function strategicMerge(kind: string, original: Loose, patch: Loose): Loose {
  if (!isRecord(patch))
    throw badRequest("json: cannot unmarshal patch into Go value of type map[string]interface {}");
  return mergeMap(kind, [], original, patch);
}
