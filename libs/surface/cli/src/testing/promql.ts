/** A metric that a query asks for, with the names of the labels that it picks or groups by. */
export interface AskedSeries {
  readonly metric: string;
  readonly labels: readonly string[];
}

const keywords = new Set(["and", "or", "unless", "bool", "offset"]);

/** The metrics of a PromQL expression. Reads what dashboards and alerts are made of, not all of PromQL. */
export function seriesIn(expression: string): AskedSeries[] {
  const bare = expression.replaceAll(/"(?:\\.|[^"\\])*"/g, '""').replaceAll(/\[[^\]]*\]/g, " ");
  const grouping = /\b(?:by|on|without|ignoring)\s*\(([^)]*)\)/g;
  const grouped = [...bare.matchAll(grouping)].flatMap(([, names = ""]) => namesIn(names));
  const selector = /\b([a-zA-Z_:][\w:]*)\b(?!\s*\()(?:\s*\{([^}]*)\})?/g;
  return [...bare.replaceAll(grouping, " ").matchAll(selector)].flatMap(([, metric = "", matchers = ""]) =>
    keywords.has(metric) ? [] : [{ metric, labels: [...new Set([...namesIn(matchers), ...grouped])] }],
  );
}

function namesIn(list: string): string[] {
  return list.match(/[a-zA-Z_]\w*/g) ?? [];
}

/** What `/metrics` says: for each metric the label names of its samples. */
export function exportedIn(text: string): Map<string, Set<string>> {
  const exported = new Map<string, Set<string>>();
  for (const line of text.split("\n")) {
    const [, metric, labels = ""] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? /.exec(line) ?? [];
    if (metric === undefined) continue;
    const names = exported.get(metric) ?? new Set();
    for (const [, name = ""] of labels.matchAll(/([a-zA-Z_]\w*)="/g)) names.add(name);
    exported.set(metric, names);
  }
  return exported;
}
