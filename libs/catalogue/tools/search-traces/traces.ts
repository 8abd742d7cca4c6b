import { clockTime, z } from "@microremed/catalogue";

const Span = z.tuple([
  z.string(),
  z.string(),
  z.string(),
  z.number(),
  z.number(),
  z.number(),
  z.string(),
  z.string(),
]);
const Answer = z.object({
  traces: z.array(z.object({ id: z.string(), start: z.number(), spans: z.array(Span) })),
  left: z.number(),
});

/** One piece of work of a program. Times in ms, `start` after the trace's. */
export interface Span {
  readonly service: string;
  readonly operation: string;
  /** client, server or internal */
  readonly kind: string;
  readonly start: number;
  readonly took: number;
  /** Position of the caller's span in the trace; -1: none. */
  readonly parent: number;
  /** Empty: it went well. */
  readonly error: string;
  readonly pod: string;
}

export interface Trace {
  readonly id: string;
  /** Cluster time, ms. */
  readonly start: number;
  readonly spans: readonly Span[];
}

export function readTraces(json: string): { readonly traces: Trace[]; readonly left: number } {
  const { traces, left } = Answer.parse(JSON.parse(json));
  const named = ([service, operation, kind, start, took, parent, error, pod]: z.infer<
    typeof Span
  >): Span => ({
    service,
    operation,
    kind,
    start,
    took,
    parent,
    error,
    pod,
  });
  return { traces: traces.map((trace) => ({ ...trace, spans: trace.spans.map(named) })), left };
}

export const durationOf = ({ spans }: Trace): number =>
  spans.reduce((end, span) => Math.max(end, span.start + span.took), 0);

/** Failed spans that no failed span below them explains: where the errors began. */
export function errorsOf({ spans }: Trace): Span[] {
  const explained = new Set(spans.flatMap((span) => (span.error === "" ? [] : [span.parent])));
  return spans.filter((span, place) => span.error !== "" && !explained.has(place));
}

/** Of a span: what of its time no span below it covers, ms. Calls that overlap count once. */
export function selfTimes({ spans }: Trace): number[] {
  const below = Map.groupBy(spans, ({ parent }) => parent);
  return spans.map((span, place) => {
    const calls = (below.get(place) ?? []).toSorted((a, b) => a.start - b.start);
    let covered = 0;
    let until = span.start;
    for (const call of calls) {
      const end = Math.min(span.start + span.took, call.start + call.took);
      covered += Math.max(0, end - Math.max(until, call.start));
      until = Math.max(until, end);
    }
    return Math.max(0, span.took - covered);
  });
}

/** Positions of the spans on the way that decided how long the trace took: from the root always the call that ended last. */
export function criticalPath({ spans }: Trace): number[] {
  const below = Map.groupBy(spans.keys(), (place) => spans[place]?.parent ?? -1);
  const endOf = (place: number): number => (spans[place]?.start ?? 0) + (spans[place]?.took ?? 0);
  const path: number[] = [];
  let here = -1;
  for (;;) {
    const next = [...(below.get(here) ?? [])].filter((place) => !path.includes(place));
    const [last] = next.sort((a, b) => endOf(b) - endOf(a));
    if (last === undefined) return path;
    path.push(last);
    here = last;
  }
}

/** `4f0c... 10:04:30 812 ms, 23 spans, frontend GET /cart; error in redis (timeout); longest itself: cart 700 ms` */
export function summaryLine(trace: Trace): string {
  const { id, start, spans } = trace;
  const [root] = spans.filter(({ parent }) => parent === -1);
  const errors = errorsOf(trace).map(({ service, operation, error }) => `${service} ${operation} (${error})`);
  const self = selfTimes(trace);
  const longest = self.indexOf(Math.max(...self));
  const parts = [
    `${id.slice(0, 16)} ${clockTime(start)} ${Math.round(durationOf(trace))} ms, ${spans.length} spans, ${root?.service} ${root?.operation}`,
    ...(errors.length > 0 ? [`errors begin in ${[...new Set(errors)].slice(0, 3).join(", ")}`] : []),
    `most time in ${spans[longest]?.service} ${spans[longest]?.operation}: ${Math.round(self[longest] ?? 0)} ms`,
  ];
  return parts.join("; ");
}
