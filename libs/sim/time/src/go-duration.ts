/** Milliseconds per unit of Go's time.ParseDuration. */
const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Go's `time.ParseDuration`: milliseconds. Throws an Error with Go's own message. */
export function parseGoDuration(text: string): number {
  const invalid = (): Error => new Error(`time: invalid duration ${JSON.stringify(text)}`);
  const sign = text.startsWith("-") ? -1 : 1;
  let rest = /^[+-]/.test(text) ? text.slice(1) : text;
  if (rest === "0") return 0;
  if (rest === "") throw invalid();
  let total = 0;
  while (rest !== "") {
    const number = /^(\d+\.?\d*|\.\d+)/.exec(rest)?.[0];
    if (number === undefined) throw invalid();
    rest = rest.slice(number.length);
    const unit = /^[^.\d]*/.exec(rest)?.[0] ?? "";
    if (unit === "") throw new Error(`time: missing unit in duration ${JSON.stringify(text)}`);
    const scale = units[unit];
    if (scale === undefined)
      throw new Error(`time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`);
    total += Number(number) * scale;
    rest = rest.slice(unit.length);
  }
  return sign * total;
}

/** Go's error for a bad duration, or undefined when it parses. */
export function durationError(text: string): string | undefined {
  try {
    parseGoDuration(text);
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}
