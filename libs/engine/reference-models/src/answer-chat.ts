import { wrongLines } from "@microremed/contracts";
import { parseJson } from "@microremed/core";
import { ChatCompletionRequest } from "./chat-request.ts";
import { complete } from "./complete.ts";
import type { Library } from "./policy.ts";
import { streamed } from "./streamed.ts";

/** What a request gets, as over HTTP. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  /** The body as the events of a stream, where the request asks for one. */
  readonly events?: string;
}

/** The answer to the text of a chat completion request, whatever it says. */
export function answerChat(body: string, library: Library): Answer {
  const json = parseJson(body);
  if (json === undefined) return failure(400, "the body is not JSON");
  const parsed = ChatCompletionRequest.safeParse(json);
  if (parsed.success) {
    const body = complete(parsed.data, library, Math.floor(Date.now() / 1000));
    return { status: 200, body, ...(parsed.data.stream && { events: streamed(body) }) };
  }
  const wrongModel = parsed.error.issues.every((issue) => issue.path[0] === "model");
  return failure(wrongModel ? 404 : 400, wrongLines(parsed.error));
}

/** A refusal as OpenAI words it. */
export function failure(status: number, message: string): Answer {
  const error = { message, type: "invalid_request_error", param: null, code: null };
  return { status, body: { error } };
}
