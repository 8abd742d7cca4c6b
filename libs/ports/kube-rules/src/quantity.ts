/** Powers of ten. Written as an exponent, a decimal amount is as near to its text as a number can be. */
const exponents: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binaryUnits: Readonly<Record<string, number>> = {
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/**
 * A Kubernetes quantity as a number: `250m` is 0.25, `64Mi` is 67108864, `1e3` is 1000. Undefined when it is absent or
 * no quantity. The form is that of k8s.io/apimachinery/pkg/api/resource: an exponent or a suffix, not both.
 */
export function parseQuantity(text: unknown): number | undefined {
  if (typeof text === "number") return Number.isFinite(text) ? text : undefined;
  if (typeof text !== "string") return undefined;
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d+)|([A-Za-z]{1,2}))?$/.exec(text);
  if (!match) return undefined;
  const [, digits = "", exponent, suffix] = match;
  const unit = suffix === undefined ? 1 : binaryUnits[suffix];
  if (unit !== undefined) return finite(Number(`${digits}e${exponent ?? 0}`) * unit);
  const power = exponents[suffix ?? ""];
  return power === undefined ? undefined : finite(Number(`${digits}e${power}`));
}

const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);

const binary = ["Ei", "Pi", "Ti", "Gi", "Mi", "Ki"] as const;
const decimal = ["E", "P", "T", "G", "M", "k"] as const;

function whole(value: number, suffix: string): string | undefined {
  const count = value / (parseQuantity(`1${suffix}`) ?? 1);
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
