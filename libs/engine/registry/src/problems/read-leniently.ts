import { type WrongValue, wrongValues } from "@microremed/contracts";
import type { z } from "zod";

/** What of a value fits a schema. */
export interface LenientlyRead<T> {
  /** Undefined: nothing that can be checked is left. */
  readonly value: T | undefined;
  /** Everything that does not fit. What is left out for it is in none of the other mistakes. */
  readonly wrong: readonly WrongValue[];
  /** Of the lists that lost items: which item of the author's list each is now. */
  readonly kept: Readonly<Record<string, readonly number[]>>;
}

interface Leniency {
  readonly lists?: readonly string[];
  readonly instead?: Readonly<Record<string, unknown>>;
}

/** Rounds of taking away: a mistake that others hid comes in the next one. */
const mostRounds = 10;

/**
 * Reads a value by its schema, without what does not fit, so that the mistakes in the rest can be named with those. `lists`:
 * fields whose items may be left out as a whole. `instead`: values of fields that have to be there.
 */
export function readLeniently<S extends z.ZodType>(
  schema: S,
  value: unknown,
  { lists = [], instead = {} }: Leniency = {},
): LenientlyRead<z.output<S>> {
  const left: unknown = structuredClone(value);
  const wrong: WrongValue[] = [];
  const kept: Record<string, number[]> = {};
  for (let round = 0; round < mostRounds; round += 1) {
    const parsed = schema.safeParse(left);
    if (parsed.success) return { value: parsed.data, wrong, kept };
    const found = wrongValues(parsed.error, left, schema).map((one) => ({
      ...one,
      field: asWritten(one.field, kept),
    }));
    const fields = wrong.map(({ field }) => field);
    wrong.push(...found.filter(({ field }) => !isAbout(field, fields)));
    const { issues } = parsed.error;
    const isLess = takeAway(left, issues, lists, kept);
    if (!putIn(left, issues, instead) && !isLess) break;
  }
  return { value: undefined, wrong, kept };
}

/** Whether a field is one of the others, or a part of it, or it is a part of the field. */
export function isAbout(field: string, others: readonly string[]): boolean {
  const isIn = (inner: string, outer: string): boolean =>
    inner === outer || (inner.startsWith(outer) && /^[.[]/.test(inner.slice(outer.length)));
  return others.some((other) => isIn(field, other) || isIn(other, field));
}

/** The place of a field with the author's numbers of items. */
export function asWritten(field: string, kept: LenientlyRead<unknown>["kept"]): string {
  return field.replace(/^(\w+)\[(\d+)\]/, (place, list: string, index: string) => {
    const item = kept[list]?.[Number(index)];
    return item === undefined ? place : `${list}[${item}]`;
  });
}

/** Takes the fields away that do not fit; where one has to be there, the item of the list in which it is. False: none could be. */
function takeAway(
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
  lists: readonly string[],
  kept: Record<string, number[]>,
): boolean {
  const paths = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path],
  );
  if (paths.map((path) => remove(value, path)).some(Boolean)) return true;
  const items = new Map<string, Set<number>>();
  for (const [list, index] of paths)
    if (typeof list === "string" && typeof index === "number" && lists.includes(list))
      items.set(list, (items.get(list) ?? new Set()).add(index));
  for (const [list, indices] of items) {
    const all = (value as Record<string, unknown[]>)[list] ?? [];
    const places = kept[list] ?? all.map((_, index) => index);
    kept[list] = places.filter((_, index) => !indices.has(index));
    (value as Record<string, unknown[]>)[list] = all.filter((_, index) => !indices.has(index));
  }
  return items.size > 0;
}

/** Whether a field that has to be there was put in. */
function putIn(
  value: unknown,
  issues: readonly z.core.$ZodIssue[],
  instead: Readonly<Record<string, unknown>>,
): boolean {
  if (typeof value !== "object" || value === null) return false;
  const names = issues.flatMap(({ path: [name, ...rest] }) =>
    typeof name === "string" && rest.length === 0 && Object.hasOwn(instead, name) ? [name] : [],
  );
  for (const name of names) (value as Record<string, unknown>)[name] = instead[name];
  return names.length > 0;
}

/** Whether there was something at a path, and is no more. Items of lists keep their numbers. */
function remove(value: unknown, path: readonly PropertyKey[]): boolean {
  const [key, ...rest] = path;
  if (typeof value !== "object" || value === null || key === undefined || !Object.hasOwn(value, key))
    return false;
  const inside = value as Record<PropertyKey, unknown>;
  if (rest.length > 0) return remove(inside[key], rest);
  return !Array.isArray(value) && Reflect.deleteProperty(value, key);
}
