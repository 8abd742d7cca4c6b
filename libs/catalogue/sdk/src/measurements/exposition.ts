/** One line of Prometheus' text format. */
export interface ExpositionSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+\S+)?$/;
const label = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const mostLines = 100_000;

/** The samples of an exposition whose names `wanted` accepts; comments and lines that are none are left out. */
export function parseExposition(text: string, wanted: (name: string) => boolean): ExpositionSample[] {
  const samples: ExpositionSample[] = [];
  for (const [index, raw] of text.split("\n").entries()) {
    if (index > mostLines) break;
    if (raw.startsWith("#")) continue;
    const match = line.exec(raw);
    if (!match?.[1] || !wanted(match[1])) continue;
    const value = match[3] === "+Inf" ? Number.POSITIVE_INFINITY : Number(match[3]);
    if (Number.isNaN(value)) continue;
    const labels = [...(match[2] ?? "").matchAll(label)].map(([, name = "", text = ""]) => [
      name,
      unescaped(text),
    ]);
    samples.push({ name: match[1], labels: Object.fromEntries(labels), value });
  }
  return samples;
}

const unescaped = (text: string): string =>
  text.replace(/\\(.)/g, (_, escaped) => (escaped === "n" ? "\n" : escaped));
