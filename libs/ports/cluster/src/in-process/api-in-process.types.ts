import type { Clock } from "@microremed/core";

/** One request to an API server of this process. */
export interface CallInProcess {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Takes the body of a 2xx as it comes; the answer's own is empty then. */
  readonly onChunk?: ((chunk: string) => void) | undefined;
  /** An answer about objects comes as `value`: all who read an object get the same, frozen, and no JSON is written. */
  readonly asValue?: boolean | undefined;
}

/** A command in a container, without stdin. */
export interface ExecInProcess {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  stdout(chunk: Uint8Array | string): void;
  stderr(chunk: Uint8Array | string): void;
}

/** An HTTP status and the body, JSON as a rule. */
export interface AnswerInProcess {
  readonly status: number;
  readonly body: string;
  /** Where a value was wanted: what the body, which is empty then, would say. */
  readonly value?: unknown;
}

/**
 * A Kubernetes API server that runs in this process, as an embedded cluster gives one. Calls end when they are answered
 * or aborted; they need no deadline of their own, because what they wait for is the cluster's time.
 */
export interface ApiInProcess {
  /**
   * The answer to a GET of objects, as a value, for a caller that goes on at once; undefined for every other request,
   * which `handle` answers.
   */
  read(call: Pick<CallInProcess, "method" | "path" | "headers">): AnswerInProcess | undefined;
  handle(call: CallInProcess): Promise<AnswerInProcess>;
  /** 200 with the metav1.Status that says how the command ended, or the refusal. */
  exec(call: ExecInProcess): Promise<AnswerInProcess>;
  /** The cluster's own. */
  readonly clock: Clock;
  /** Of the whole cluster. Absent: it has none. */
  readonly snapshots?: {
    take(name: string): unknown;
    /** Undefined: there is none of that name. */
    restore(name: string, salt: string): unknown;
  };
}
