/** Values that are told apart; Prometheus keeps a series for each for as long as it keeps anything. */
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
