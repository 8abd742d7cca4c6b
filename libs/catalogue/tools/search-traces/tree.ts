import { answerLines, clockTime } from "@microremed/catalogue";
import { criticalPath, durationOf, selfTimes, type Trace } from "./traces.ts";

/** A trace as a tree, callers above callees; `*` marks the critical path. */
export function treeText(trace: Trace, max: number): string {
  const { id, start, spans } = trace;
  const below = Map.groupBy(spans.keys(), (place) => spans[place]?.parent ?? -1);
  const critical = new Set(criticalPath(trace));
  const self = selfTimes(trace);
  const lines: string[] = [];
  const walk = (place: number, depth: number): void => {
    const span = spans[place];
    if (!span) return;
    const { service, operation, kind, took, error, pod } = span;
    const mark = critical.has(place) ? "*" : " ";
    const words = `${took} ms (itself ${Math.round((self[place] ?? 0) * 100) / 100} ms)${error && `, error: ${error}`}`;
    const where = kind === "client" ? "calls" : `[${pod}]`;
    lines.push(`${mark}${"  ".repeat(depth)}${service} ${where} ${operation}: +${span.start} ms, ${words}`);
    for (const next of below.get(place) ?? []) walk(next, depth + 1);
  };
  for (const root of below.get(-1) ?? []) walk(root, 0);
  const head = `trace ${id}, ${clockTime(start)}, ${Math.round(durationOf(trace))} ms; * is the critical path`;
  const narrow = "the rest of the tree is too long; search for traces of one `service`";
  return answerLines({ head, lines, max, narrow });
}
