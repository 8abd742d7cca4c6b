/** `2`, `"2"` or `"25%"` of `total`, rounded up or down. */
export function intOrPercent(value: unknown, total: number, round: "up" | "down"): number {
  const percent = /^(\d+)%$/.exec(String(value));
  if (!percent) return Number(value) || 0;
  const exact = (Number(percent[1]) * total) / 100;
  return round === "up" ? Math.ceil(exact) : Math.floor(exact);
}
