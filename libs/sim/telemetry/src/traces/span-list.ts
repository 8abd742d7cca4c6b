import type { Span } from "./trace.types.ts";

/** How a span ended. */
export type SpanEnd = Pick<Span, "end" | "error">;

/** The spans of one trace, in the order in which they began. */
export interface SpanList {
  readonly count: number;
  /** Begins a span; returns its index. */
  open(span: Omit<Span, "end" | "error">): number;
  close(index: number, end: SpanEnd): SpanEnd;
  all(): readonly Span[];
}

export function createSpanList(): SpanList {
  const spans: Span[] = [];
  return {
    get count() {
      return spans.length;
    },
    open(span) {
      return spans.push({ ...span, end: span.start, error: undefined }) - 1;
    },
    close(index, { end, error }) {
      const span = spans[index];
      if (span) Object.assign(span, { end, error });
      return { end, error };
    },
    all: () => spans,
  };
}
