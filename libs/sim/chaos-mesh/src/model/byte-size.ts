const powers: Readonly<Record<string, number>> = { "": 0, k: 1, m: 2, g: 3, t: 4, p: 5 };

/**
 * Size of a memory stressor, bytes: `256MB` is decimal, `256MiB`, `256Mi` and `256M` count as memStress counts them,
 * `25%` is a share of the node's memory. Throws an Error in Chaos Mesh's words.
 */
export function parseByteSize(text: string, nodeMemory: number): number {
  if (text.endsWith("%")) {
    const percent = Number(text.slice(0, -1));
    if (!Number.isFinite(percent) || percent < 0 || percent > 100) throw new Error("illegal proportion");
    return (nodeMemory * percent) / 100;
  }
  const match = /^(\d+(?:\.\d+)?) ?([kmgtp]?)(i?b?)$/i.exec(text);
  if (!match) throw new Error(`incorrect bytes format: invalid size: '${text}'`);
  const [, number = "0", prefix = "", suffix = ""] = match;
  const base = /^i/i.test(suffix) ? 1024 : 1000;
  return Number(number) * base ** (powers[prefix.toLowerCase()] ?? 0);
}

/** A tc rate in bytes per second: `bit`..`tbit` count bits, `bps`..`tbps` bytes. Throws in Chaos Mesh's words. */
export function parseRate(text: string): number {
  const match = /^(\d+(?:\.\d+)?) ?([kmgt]?)(bit|bps)$/i.exec(text.trim());
  if (!match) throw new Error("invalid unit");
  const [, number = "0", prefix = "", unit = ""] = match;
  const scaled = Number(number) * 1000 ** (powers[prefix.toLowerCase()] ?? 0);
  return unit.toLowerCase() === "bit" ? scaled / 8 : scaled;
}
