import { deepFrozen } from "@microremed/core";

/** Objects that are asked for again and again are the same where the API server is in this process. */
const known = new WeakMap<object, unknown>();

/**
 * The object without the fields that are null: the API server writes so what was never set, such as the endpoints of an
 * EndpointSlice without any, and readers know one kind of absence. An object without nulls is returned itself.
 */
export function withoutNulls<T>(object: T): T {
  if (object === null || typeof object !== "object") return object;
  if (!known.has(object)) known.set(object, copyOf(object));
  return known.get(object) as T;
}

/** Frozen if the object is: what is computed from it is kept as well then. */
function copyOf(object: object): unknown {
  return Object.isFrozen(object) ? deepFrozen(cleaned(object)) : cleaned(object);
}

/** Copies nothing but what holds a null at some depth. */
function cleaned(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const items = value.map(cleaned);
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  const names = Object.keys(value);
  const given = value as Readonly<Record<string, unknown>>;
  const fields = names.map((name) => cleaned(given[name]));
  if (!fields.some((field, i) => field === null || field !== given[names[i] ?? ""])) return value;
  return Object.fromEntries(names.flatMap((name, i) => (fields[i] === null ? [] : [[name, fields[i]]])));
}
