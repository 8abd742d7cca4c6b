import type { Api } from "./create-api.ts";
import type { LocalRequest } from "./http/exchange.types.ts";
import { createLocalResponse, type LocalAnswer } from "./http/local-response.ts";
import { failure } from "./http/respond.ts";
import { execStatus } from "./streams/exec-outcome.ts";
import { readStreamRequest } from "./streams/stream-upgrade.ts";

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

/** A command in a container: `path` is that of the `exec` subresource, with its query. */
export interface LocalExec extends Pick<LocalCall, "path" | "headers"> {
  readonly signal: AbortSignal;
  stdout(chunk: Uint8Array | string): void;
  stderr(chunk: Uint8Array | string): void;
}

export type { LocalAnswer };

/** An API server that is called in its own process, with the same checks and answers as over HTTP. */
export interface LocalApi {
  handle(call: LocalCall): Promise<LocalAnswer>;
  /** 200 with the metav1.Status that says how the command ended, or the refusal. */
  exec(call: LocalExec): Promise<LocalAnswer>;
}

const asUpgrade = { upgrade: "websocket", "sec-websocket-protocol": "v5.channel.k8s.io" };

/** Calls an API server without a socket. An aborted call ends as a connection that the client closes. */
export function createLocalApi({ context, authenticator, handle }: Api): LocalApi {
  return {
    async handle({ method, path, headers, body = "", signal, onChunk, asValue }) {
      const request: LocalRequest = { method, url: path, headers, body: Buffer.from(body) };
      const { response, ended } = createLocalResponse(onChunk, asValue);
      const leave = (): void => void response.destroy();
      if (signal?.aborted) leave();
      signal?.addEventListener("abort", leave, { once: true });
      try {
        await handle(request, response);
        return await ended;
      } finally {
        signal?.removeEventListener("abort", leave);
      }
    },
    async exec({ path, headers, stdout, stderr, signal }) {
      const request: LocalRequest = {
        method: "GET",
        url: path,
        headers: { ...headers, ...asUpgrade },
        body: Buffer.alloc(0),
      };
      try {
        const wanted = readStreamRequest(context, authenticator, request);
        if (wanted.kind !== "exec" || !wanted.command) throw new TypeError(`${path} is no exec`);
        const { target, command } = wanted;
        const run = { ...target, command, stdin: undefined, tty: false, stdout, stderr, signal };
        return { status: 200, body: JSON.stringify(execStatus(await context.exec(run))) };
      } catch (error) {
        const { status, body } = failure(error);
        return { status, body: JSON.stringify(body) };
      }
    },
  };
}
