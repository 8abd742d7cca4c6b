/** The client's end of a running command, whatever protocol carries it. */
export interface ExecChannels {
  readonly stdin: AsyncIterable<Uint8Array> | undefined;
  stdout(chunk: Uint8Array | string): void;
  stderr(chunk: Uint8Array | string): void;
  /** Resolves when the client has taken most of what was sent, or has gone. */
  drained(): Promise<void>;
  /** Sends the metav1.Status with the result, and closes. */
  finish(status: object): void;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

export interface ExecStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

export function asBytes(chunk: Uint8Array | string): Uint8Array {
  return typeof chunk === "string" ? Buffer.from(chunk) : chunk;
}
