import type { LocalAnswer } from "./local-response.ts";

/** One request of this process. */
export interface LocalCall {
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
export interface LocalExec extends Pick<LocalCall, "headers"> {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
  readonly signal: AbortSignal;
  stdout(chunk: Uint8Array | string): void;
  stderr(chunk: Uint8Array | string): void;
}

/** An API server that is called in its own process, with the same checks and answers as over HTTP. */
export interface LocalApi {
  /** The answer to a GET of objects, which takes no time; undefined for every other request, which `handle` answers. */
  read(call: Pick<LocalCall, "method" | "path" | "headers">): LocalAnswer | undefined;
  handle(call: LocalCall): Promise<LocalAnswer>;
  /** 200 with the metav1.Status that says how the command ended, or the refusal. */
  exec(call: LocalExec): Promise<LocalAnswer>;
}
