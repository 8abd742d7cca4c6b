/** How large a JSON value may be. */
export interface JsonBounds {
  /** Of lists and objects in one another. */
  readonly depth: number;
  /** Lists, objects and values in all. */
  readonly values: number;
  /** Characters of all texts and names of fields. */
  readonly characters: number;
  /** Of the value as JSON in UTF-8. Default: what follows from the others. */
  readonly bytes?: number;
}

/**
 * Why a JSON value is larger than that, in words that go on after its name; undefined: it is not. It reads no further
 * than the bounds and does not recurse, so that no depth overflows the stack, as it would in a schema that does.
 */
export function beyondBounds(value: unknown, bounds: JsonBounds): string | undefined {
  const left: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  let values = 0;
  let characters = 0;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    values += 1;
    if (values > bounds.values) return `has more than ${bounds.values} values`;
    if (typeof next.value === "string") characters += next.value.length;
    if (typeof next.value === "object" && next.value !== null) {
      const depth = next.depth + 1;
      if (depth > bounds.depth) return `is nested more than ${bounds.depth} deep`;
      for (const [name, item] of Object.entries(next.value)) {
        if (!Array.isArray(next.value)) characters += name.length;
        left.push({ value: item, depth });
        if (values + left.length > bounds.values) return `has more than ${bounds.values} values`;
      }
    }
    if (characters > bounds.characters) return `has more than ${bounds.characters} characters`;
  }
  const { bytes } = bounds;
  const isTooLong = bytes !== undefined && Buffer.byteLength(JSON.stringify(value) ?? "") > bytes;
  return isTooLong ? `has more than ${bytes} bytes as JSON` : undefined;
}
