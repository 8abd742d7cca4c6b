const memoryUnits: Record<string, number> = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };

/** Cores of a CPU quantity that the format accepts: `250m` is 0.25. */
export function cores(quantity: string): number {
  return quantity.endsWith("m") ? Number(quantity.slice(0, -1)) / 1000 : Number(quantity);
}

/** Bytes of a memory quantity that the format accepts: `64Mi`. */
export function bytes(quantity: string): number {
  return Number(quantity.slice(0, -2)) * (memoryUnits[quantity.slice(-2)] ?? Number.NaN);
}
