import { answerChat } from "./answer-chat.ts";
import type { Library } from "./policy.ts";

/** `fetch` that the policies answer within the process: no port is opened. */
export function referenceFetch(faults: Library): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { status, body, events } = answerChat(await request.text(), faults);
    return events === undefined
      ? Response.json(body, { status })
      : new Response(events, { status, headers: { "content-type": "text/event-stream" } });
  };
}
