import { type ChangedField, changedFields, fieldPattern, parseQuantity } from "@microremed/catalogue";
import { isJsonObject } from "@microremed/core";

/** One value that a change log shows as changed, at the end of its path. */
export interface ShownLeaf {
  /** Kind and path, without names of items, labels and keys: `Deployment spec.template.spec.containers[].args[]`. */
  readonly leaf: string;
  /**
   * What became of the value: `added`, `removed`, `up`, `down` or `other`; `written` where the log does not say what was before; `made`
   * of a new object.
   */
  readonly form: string;
  /** As it was and as it is; undefined: it was or is not there, or the log does not say it. */
  readonly was: unknown;
  readonly is: unknown;
}

/** The values that an answer of `diff_since` shows as changed. */
export const shownLeaves = (log: string): ShownLeaf[] =>
  changedFields(log).flatMap((change) => {
    const { object, field, knowsBefore } = change;
    if (field === "") return [{ leaf: object.kind, form: "made", was: undefined, is: undefined }];
    const path = fieldPattern(field).replace(/^data\..*/, "data.*");
    // Of Secrets the log has no values.
    if (change.was === null && change.is === null)
      return [{ leaf: `${object.kind} ${path}`, form: "written", was: undefined, is: undefined }];
    return leavesOf(read(change.was), read(change.is), { path: `${object.kind} ${path}`, knowsBefore });
  });

/** A value of the log; a long one, of which the end is left out, stays a text. */
function read(json: ChangedField["was"]): unknown {
  if (json === null) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

interface Where {
  readonly path: string;
  readonly knowsBefore: boolean;
}

/** What is below is keyed by names that people give. */
const keyed = /(\.selector|[a-z]Selector|matchLabels|labels)$/;

function leavesOf(was: unknown, is: unknown, { path, knowsBefore }: Where): ShownLeaf[] {
  if (JSON.stringify(was) === JSON.stringify(is)) return [];
  const [before, after] = [childrenOf(was), childrenOf(is)];
  if (before === undefined && after === undefined)
    return [{ leaf: path, form: knowsBefore ? formOf(was, is) : "written", was, is }];
  const names = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])];
  return names.flatMap((name) => {
    const step = Array.isArray(is ?? was) ? "[]" : `.${keyed.test(path) ? "*" : name}`;
    return leavesOf(before?.get(name), after?.get(name), { path: `${path}${step}`, knowsBefore });
  });
}

/** What is below a value, by name or place; undefined: nothing. */
function childrenOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (Array.isArray(value) && value.length > 0)
    return new Map(
      value.map((item: unknown, place) => [
        isJsonObject(item) && typeof item["name"] === "string" ? item["name"] : String(place),
        item,
      ]),
    );
  return isJsonObject(value) && Object.keys(value).length > 0 ? new Map(Object.entries(value)) : undefined;
}

function formOf(was: unknown, is: unknown): string {
  if (was === undefined) return "added";
  if (is === undefined) return "removed";
  const [before, after] = [sizeOf(was), sizeOf(is)];
  if (before === undefined || after === undefined) return "other";
  return after > before ? "up" : "down";
}

const sizeOf = (value: unknown): number | undefined =>
  typeof value === "number" ? value : typeof value === "string" ? parseQuantity(value) : undefined;
