/** Values that get their own label; Prometheus keeps a series for each until its retention ends. */
const most = 50;

/** Keeps a label whose values come from outside to a bounded number of them: the first ones; all others are `other`. */
export function boundedLabel(limit = most): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= limit) return "other";
    known.add(value);
    return value;
  };
}
