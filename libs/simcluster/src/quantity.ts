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
