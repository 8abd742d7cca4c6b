import { answerChat } from "./answer-chat.ts";
import type { Library } from "./policy.ts";

/** `fetch` that the policies answer within the process: no port is opened. */
export function referenceFetch(faults: Library): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { status, body } = answerChat(await request.text(), faults);
    return Response.json(body, { status });
  };
}
