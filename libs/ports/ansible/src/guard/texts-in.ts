/** Visits at most this many values: anchors can make many of little text. */
const MAX_VALUES = 100_000;

/** One text somewhere in a value, and the nearest key above it. */
export interface FoundText {
  readonly key: string;
  readonly text: string;
}

/** All texts in a value, keys of mappings included. A value that is shared by anchors is read once. */
export function textsIn(value: unknown): FoundText[] {
  const found: FoundText[] = [];
  const seen = new Set<object>();
  const queue: { key: string; value: unknown }[] = [{ key: "", value }];
  for (let visited = 0; queue.length > 0 && visited < MAX_VALUES; visited++) {
    const next = queue.pop();
    if (!next) break;
    if (typeof next.value === "string") found.push({ key: next.key, text: next.value });
    if (typeof next.value !== "object" || next.value === null || seen.has(next.value)) continue;
    seen.add(next.value);
    for (const [name, inner] of Object.entries(next.value)) {
      if (!Array.isArray(next.value)) found.push({ key: "", text: name });
      queue.push({ key: Array.isArray(next.value) ? next.key : name, value: inner });
    }
  }
  return found;
}
