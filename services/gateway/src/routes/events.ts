import { ExperimentId, type RangeEvent } from "@microremed/contracts";
import { z } from "zod";
import type { App } from "../http/app.types.ts";
import { type SentEvent, sendEvents } from "../http/server-sent-events.ts";
import { Event } from "../http/shared-schemas.ts";
import { type RangeDeps, researchers } from "./range-deps.ts";

const tags = ["events"];
const events = {
  200: {
    description: "Events as `text/event-stream`: `event` is the type, `data` the event as JSON",
    content: { "text/event-stream": { schema: Event } },
  },
};
const config = { access: researchers };

/** What happens, as it happens, as server-sent events. */
export function addEvents(
  app: App,
  { client, hub, tokens, signal: stopping }: Pick<RangeDeps, "client" | "hub" | "tokens" | "signal">,
): void {
  const limits = { tokens, signal: stopping };
  app.route({
    config,
    method: "GET",
    url: "/experiments/:id/events",
    schema: {
      ...{ tags, summary: "Follow an experiment from its first event" },
      description:
        "Ends after the event `experiment-finished`. The id of an event is its number in the experiment; with the header `Last-Event-ID` the stream goes on after it.",
      params: z.strictObject({ id: ExperimentId }),
      response: events,
    },
    handler: async (request, reply) => {
      const { id } = request.params;
      await client.experimentRecord(id);
      const after = Number(request.headers["last-event-id"] ?? 0) || 0;
      await sendEvents(request, reply, (signal) => numbered(client.events(id, signal), after), limits);
    },
  });

  app.route({
    config,
    method: "GET",
    url: "/events",
    schema: {
      ...{ tags, summary: "Follow everything from now on" },
      description: "Events of all experiments. One may come twice.",
      response: events,
    },
    handler: (request, reply) => sendEvents(request, reply, (signal) => typed(hub.stream(signal)), limits),
  });
}

async function* numbered(found: AsyncIterable<RangeEvent>, after: number): AsyncGenerator<SentEvent> {
  let number = 0;
  for await (const event of found) {
    number++;
    if (number > after) yield { id: String(number), type: event.type, data: event };
    if (event.type === "experiment-finished") return;
  }
}

async function* typed(found: AsyncIterable<RangeEvent>): AsyncGenerator<SentEvent> {
  for await (const event of found) yield { type: event.type, data: event };
}
