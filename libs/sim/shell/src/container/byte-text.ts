/** dd's suffixes: `1M`, `4k`, `512`, `1kB`, products with x. Undefined when it is none. */
export function parseDdSize(text: string): number | undefined {
  const factors: Readonly<Record<string, number>> = {
    "": 1,
    c: 1,
    w: 2,
    b: 512,
    k: 1024,
    K: 1024,
    kB: 1000,
    KB: 1000,
    M: 1 << 20,
    MB: 1e6,
    MiB: 1 << 20,
    KiB: 1024,
    G: 1 << 30,
    GB: 1e9,
    GiB: 1 << 30,
  };
  const match = /^(\d+)([a-zA-Z]*)$/.exec(text);
  const factor = match && factors[match[2] ?? ""];
  return match && typeof factor === "number" ? Number(match[1]) * factor : undefined;
}

function scaled(bytes: number, base: number, units: readonly string[]): [number, string] {
  let value = bytes;
  let unit = 0;
  while (value >= base && unit < units.length - 1) {
    value /= base;
    unit++;
  }
  return [value, units[unit] ?? ""];
}

/** GNU's human-readable sizes: `10 MB`, `1.0 GB`. */
export function siBytes(bytes: number): string {
  const [value, unit] = scaled(bytes, 1000, ["B", "kB", "MB", "GB", "TB"]);
  return `${value < 10 && unit !== "B" ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** The same in powers of two: `10 MiB`. */
export function iecBytes(bytes: number): string {
  const [value, unit] = scaled(bytes, 1024, ["B", "KiB", "MiB", "GiB", "TiB"]);
  return `${value < 10 && unit !== "B" ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** busybox's sizes: `10.0MB`. */
export function busyboxBytes(bytes: number): string {
  const [value, unit] = scaled(bytes, 1024, ["B", "KB", "MB", "GB", "TB"]);
  return `${value.toFixed(1)}${unit}`;
}
