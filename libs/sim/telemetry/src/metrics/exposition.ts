/** A label's name to its value; undefined ones are left out. */
export type Labels = Readonly<Record<string, string | undefined>>;

interface Family {
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly lines: string[];
}

/** Metrics in Prometheus' text format 0.0.4, family by family in the order of their first sample. */
export interface Exposition {
  counter(name: string, help: string, labels: Labels, value: number): void;
  gauge(name: string, help: string, labels: Labels, value: number): void;
  /** `buckets`: upper bounds with the number of observations up to each; `+Inf` is added. */
  histogram(
    name: string,
    help: string,
    labels: Labels,
    values: {
      readonly buckets: readonly (readonly [number, number])[];
      readonly count: number;
      readonly sum: number;
    },
  ): void;
  text(): string;
}

/** The content type of Prometheus' text format. */
export const expositionType = "text/plain; version=0.0.4; charset=utf-8";

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", '"': '\\"' };

const escaped = (value: string): string => value.replace(/[\\\n"]/g, (char) => escapes[char] ?? char);

function pairsOf(labels: Labels): string {
  return Object.entries(labels)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${escaped(value)}"`]))
    .join(",");
}

const inBraces = (pairs: string): string => (pairs === "" ? "" : `{${pairs}}`);
const braces = (labels: Labels): string => inBraces(pairsOf(labels));

export function createExposition(): Exposition {
  const families = new Map<string, Family>();

  function family(name: string, help: string, type: Family["type"]): string[] {
    const known = families.get(name) ?? { help, type, lines: [] };
    families.set(name, known);
    return known.lines;
  }

  return {
    counter: (name, help, labels, value) =>
      void family(name, help, "counter").push(`${name}${braces(labels)} ${value}`),
    gauge: (name, help, labels, value) =>
      void family(name, help, "gauge").push(`${name}${braces(labels)} ${value}`),
    histogram(name, help, labels, { buckets, count, sum }) {
      const lines = family(name, help, "histogram");
      const pairs = pairsOf(labels);
      const before = pairs === "" ? "" : `${pairs},`;
      for (const [bound, upTo] of buckets) lines.push(`${name}_bucket{${before}le="${bound}"} ${upTo}`);
      lines.push(`${name}_bucket{${before}le="+Inf"} ${count}`);
      lines.push(`${name}_sum${inBraces(pairs)} ${sum}`, `${name}_count${inBraces(pairs)} ${count}`);
    },
    text: () =>
      [...families]
        .map(
          ([name, { help, type, lines }]) =>
            `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("\n")}\n`,
        )
        .join(""),
  };
}
