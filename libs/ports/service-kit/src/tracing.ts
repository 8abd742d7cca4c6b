/** Flat, and never prompts, playbooks or secrets: spans leave the range. */
export type SpanAttributes = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

export interface SpanOptions {
  /** OpenTelemetry's span kind. Default: `internal`. */
  readonly kind?: "internal" | "client" | "server" | "producer" | "consumer";
  /** `traceparent` of the span above; `null`: none, a trace begins. Default: the span that this runs in. */
  readonly parent?: string | null;
  readonly attributes?: SpanAttributes;
}

/** A span while its work goes on. */
export interface OpenSpan {
  set(attributes: SpanAttributes): void;
  /** The work has failed, though it throws nothing. */
  fail(errorCode: string): void;
}

/** A span of something that is over, under ids that others know it by already. */
export interface PastSpan {
  readonly name: string;
  /** `traceparent` of the span itself. Default: one of its own below `parent`. */
  readonly traceparent?: string;
  /** `traceparent` of the span above, of the same trace; `null`: none. */
  readonly parent: string | null;
  /** Both wall clock, ms. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly errorCode?: string | undefined;
  readonly attributes: SpanAttributes;
}

/** Where spans go. Off, it costs a call. */
export interface Tracing extends AsyncDisposable {
  readonly on: boolean;
  /** Runs `work` in a span of its own, which an error that it throws marks with its code. */
  within<T>(name: string, options: SpanOptions, work: (span: OpenSpan) => Promise<T>): Promise<T>;
  record(span: PastSpan): void;
}

const ignored: OpenSpan = { set: () => {}, fail: () => {} };

/** Tracing that is off. */
export const noTracing: Tracing = {
  on: false,
  within: (_name, _options, work) => work(ignored),
  record: () => {},
  [Symbol.asyncDispose]: async () => {},
};
