import { oncePer } from "./once-per.ts";

/** Freezes a value of JSON with all its parts, and returns it. */
export function deepFrozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deepFrozen(part);
  return Object.freeze(value);
}

/**
 * Computes once for each object that is frozen, and every time for others. It keeps no object alive. Embedded clusters in
 * this process give the same frozen object as long as it is the same; its result is shared too and must not be changed.
 */
export function oncePerFrozen<A extends object, T>(compute: (object: A) => T): (object: A) => T {
  const once = oncePer(compute);
  return (object) => (Object.isFrozen(object) ? once(object) : compute(object));
}
