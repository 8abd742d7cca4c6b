/** Of a field or an entry beyond its content. */
const FIELD_BYTES = 16;

const known = new WeakMap<object, number>();

/**
 * About how many bytes a stored value takes. Stored values never change and share what is the same, so a part that was
 * weighed once is not weighed again: a new status costs the weighing of the status.
 */
export function weightOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  const before = known.get(value);
  if (before !== undefined) return before;
  let weight = 0;
  for (const [name, part] of Object.entries(value)) weight += FIELD_BYTES + name.length + weightOf(part);
  known.set(value, weight);
  return weight;
}
