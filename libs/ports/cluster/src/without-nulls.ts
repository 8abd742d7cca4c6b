/** Objects that are asked for again and again are the same where the API server is in this process. */
const known = new WeakMap<object, unknown>();

/**
 * The object without the fields that are null: the API server writes so what was never set, such as the endpoints of an
 * EndpointSlice without any, and readers know one kind of absence. An object without nulls is returned itself.
 */
export function withoutNulls<T>(object: T): T {
  if (object === null || typeof object !== "object") return object;
  if (!known.has(object)) known.set(object, cleaned(object));
  return known.get(object) as T;
}

function cleaned(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const items = value.map(cleaned);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const fields = Object.entries(value);
  const kept = fields.flatMap(([name, inner]) => (inner === null ? [] : [[name, cleaned(inner)] as const]));
  const isSame =
    kept.length === fields.length && kept.every(([, inner], index) => inner === fields[index]?.[1]);
  return isSame ? value : Object.fromEntries(kept);
}
