const suffixes: Readonly<Record<string, number>> = {
  "": 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
  Ti: 1024 ** 4,
  Pi: 1024 ** 5,
  Ei: 1024 ** 6,
};

/** A Kubernetes quantity (`100m`, `64Mi`, `2`, `1e3`) as a number; undefined when it is none. */
export function parseQuantity(text: unknown): number | undefined {
  const match = /^([+-]?\d*\.?\d+(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(String(text ?? ""));
  const factor = suffixes[match?.[2] ?? ""];
  return match && factor !== undefined ? Number(match[1]) * factor : undefined;
}

const binary = ["Ei", "Pi", "Ti", "Gi", "Mi", "Ki"] as const;
const decimal = ["E", "P", "T", "G", "M", "k"] as const;

function whole(value: number, suffix: string): string | undefined {
  const count = value / (suffixes[suffix] ?? 1);
  return count >= 1 && Number.isInteger(count) ? `${count}${suffix}` : undefined;
}

/**
 * A number as the canonical quantity: the largest unit that leaves no fraction, binary ones when `like` has one
 * (`64Mi`), else decimal ones, down to thousandths (`250m`).
 */
export function formatQuantity(value: number, like: string): string {
  const exact = Math.round(value * 1e6) / 1e6;
  if (!Number.isInteger(exact)) return `${Math.ceil(exact * 1000 - 1e-6)}m`;
  const units = /[KMGTPE]i$/.test(like) ? binary : decimal;
  for (const unit of units) {
    const text = whole(exact, unit);
    if (text !== undefined) return text;
  }
  return String(exact);
}
