import { RangeEvent, streams } from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import type { Consumption } from "./bus.ts";
import { decode } from "./codec.ts";
import type { Transport } from "./transport.ts";

/** Hands over every event as it is published, until it is disposed of. */
export async function watchEvents(
  { transport, log }: { readonly transport: Transport; readonly log: Logger },
  onEvent: (event: RangeEvent) => void,
): Promise<Consumption> {
  const [filter] = streams.events.subjects;
  const subscription = transport.subscribe(filter, undefined, ({ subject, data }) => {
    try {
      onEvent(decode(RangeEvent, subject, data));
    } catch (error) {
      log.warn({ subject, error: String(error) }, "an event that cannot be read is left out");
    }
  });
  await subscription.begun();
  return { [Symbol.asyncDispose]: () => subscription.drain() };
}
