import { deepFrozen } from "@microremed/core";

/** Objects that are asked for again and again are the same where the API server is in this process. */
const known = new WeakMap<object, unknown>();

/**
 * The object without the fields that are null: the API server writes so what was never set, such as the endpoints of an
 * EndpointSlice without any, and readers know one kind of absence. An object without nulls is returned itself.
 */
export function withoutNulls<T>(object: T): T {
  if (object === null || typeof object !== "object") return object;
  if (!known.has(object)) known.set(object, holdsNull(object) ? copyOf(object) : object);
  return known.get(object) as T;
}

/** Frozen if the object is: what is computed from it is kept as well then. */
function copyOf(object: object): unknown {
  return Object.isFrozen(object) ? deepFrozen(cleaned(object)) : cleaned(object);
}

/** Asked first, because hardly any object does, and it copies nothing. */
const holdsNull = (value: unknown): boolean =>
  value === null || (typeof value === "object" && Object.values(value).some(holdsNull));

function cleaned(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map(cleaned);
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([name, inner]) => [name, cleaned(inner)]));
}
