import type { Api } from "./create-api.ts";
import { createReadAtOnce } from "./handle/read-at-once.ts";
import type { LocalRequest } from "./http/exchange.types.ts";
import type { LocalApi } from "./http/local-api.types.ts";
import { createLocalResponse, type LocalAnswer } from "./http/local-response.ts";
import { bodyOf, failure, type Reply } from "./http/respond.ts";
import { Rendered } from "./output/rendered.ts";
import { execStatus } from "./streams/exec-outcome.ts";
import { requireExec } from "./streams/stream-upgrade.ts";

/** Calls an API server without a socket. An aborted call ends as a connection that the client closes. */
export function createLocalApi({ context, authenticator, handle }: Api): LocalApi {
  const readAtOnce = createReadAtOnce(context, authenticator);
  return {
    read(call) {
      try {
        const reply = readAtOnce(call);
        return reply && answerOf(reply);
      } catch (error) {
        return answerOf(failure(error));
      }
    },
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
    async exec(call) {
      const { command, stdout, stderr, signal } = call;
      try {
        const target = requireExec(context, authenticator, call);
        const run = { ...target, command, stdin: undefined, tty: false, stdout, stderr, signal };
        return { status: 200, body: JSON.stringify(execStatus(await context.exec(run))) };
      } catch (error) {
        return answerOf(failure(error));
      }
    },
  };
}

function answerOf(reply: Reply): LocalAnswer {
  const { status, body } = reply;
  if (body instanceof Rendered) return { status, body: "", value: body.value() };
  return { status, body: String(bodyOf(reply)) };
}
