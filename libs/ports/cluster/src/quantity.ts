const binary: Readonly<Record<string, number>> = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };
const decimal: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
};

/**
 * A Kubernetes quantity as a number: `250m` -> 0.25, `64Mi` -> 67108864.
 * `undefined` when it is absent or not a quantity.
 */
export function parseQuantity(text: unknown): number | undefined {
  if (typeof text === "number") return text;
  if (typeof text !== "string") return undefined;
  const match = /^([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)([A-Za-z]*)$/.exec(text.trim());
  if (!match) return undefined;
  const [, digits = "", suffix = ""] = match;
  const factor = suffix === "" ? 1 : (binary[suffix] ?? decimal[suffix]);
  const value = Number(digits) * (factor ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
}
