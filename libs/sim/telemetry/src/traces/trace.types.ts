import type { CallSpec, LoadRequest } from "@microremed/environments";

/** A running program that reports spans. */
export interface Reporter {
  readonly service: string;
  readonly namespace: string;
  readonly pod: string;
  readonly node: string;
}

export interface Span {
  readonly reporter: Reporter;
  /** Position of the span in the trace that caused this one. */
  readonly parent: number | undefined;
  readonly kind: "client" | "server" | "internal";
  readonly protocol: CallSpec["protocol"];
  /** Of HTTP; absent: GET. */
  readonly method?: LoadRequest["method"];
  /** Name of what is called; for HTTP its path. */
  readonly target: string;
  /** host:port as dialled; only of clients. */
  readonly address: string | undefined;
  /** Cluster time, ms since the epoch. */
  readonly start: number;
  /** When it ended, and was reported. */
  readonly end: number;
  /** What a program would log; undefined: it went well. */
  readonly error: "timeout" | "refused" | "failed" | undefined;
}

/** One request through the system, as its programs saw it. */
export interface Trace {
  /** 32 hexadecimal digits. */
  readonly id: string;
  readonly spans: readonly Span[];
}
