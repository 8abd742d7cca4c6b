const bits = 32;

/** The ranges of IPv4 addresses that a range is left with when others are taken out of it. */
export function cidrsWithout(cidr: string, holes: readonly string[]): string[] {
  return without(rangeOf(cidr), holes.map(rangeOf)).map(textOf);
}

interface Range {
  readonly first: number;
  /** A power of two. */
  readonly size: number;
}

function without(range: Range, holes: readonly Range[]): Range[] {
  const touching = holes.filter(
    ({ first, size }) => first < range.first + range.size && range.first < first + size,
  );
  if (touching.length === 0) return [range];
  const isCovered = touching.some(
    ({ first, size }) => first <= range.first && range.first + range.size <= first + size,
  );
  if (isCovered) return [];
  const size = range.size / 2;
  return [range.first, range.first + size].flatMap((first) => without({ first, size }, touching));
}

function rangeOf(cidr: string): Range {
  const [address = "", length = String(bits)] = cidr.split("/");
  const size = 2 ** (bits - Number(length));
  const value = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  if (!Number.isInteger(value) || !Number.isInteger(size))
    throw new TypeError(`${cidr} is no range of IPv4 addresses`);
  return { first: Math.floor(value / size) * size, size };
}

function textOf({ first, size }: Range): string {
  const parts = [24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256);
  return `${parts.join(".")}/${bits - Math.log2(size)}`;
}
