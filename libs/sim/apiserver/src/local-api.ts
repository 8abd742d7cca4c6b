import type { Api } from "./create-api.ts";
import type { LocalRequest } from "./http/exchange.types.ts";
import type { LocalApi } from "./http/local-api.types.ts";
import { createLocalResponse } from "./http/local-response.ts";
import { failure } from "./http/respond.ts";
import { execStatus } from "./streams/exec-outcome.ts";
import { readStreamRequest } from "./streams/stream-upgrade.ts";

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
