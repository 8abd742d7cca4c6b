/** One line of Prometheus' text format. */
export interface ExpositionSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+\S+)?$/;
/** Labels by their text: an exporter shows the same series every time. */
const knownLabels = new Map<string, ExpositionSample["labels"]>();
const mostKnown = 20_000;
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
    samples.push({ name: match[1], labels: labelsIn(match[2] ?? ""), value });
  }
  return samples;
}

function labelsIn(text: string): ExpositionSample["labels"] {
  const known = knownLabels.get(text);
  if (known) return known;
  const pairs = [...text.matchAll(label)].map(([, name = "", value = ""]) => [name, unescaped(value)]);
  const labels = Object.freeze(Object.fromEntries(pairs));
  if (knownLabels.size >= mostKnown) knownLabels.clear();
  knownLabels.set(text, labels);
  return labels;
}

const unescaped = (text: string): string =>
  text.replace(/\\(.)/g, (_, escaped) => (escaped === "n" ? "\n" : escaped));
