import { RangeEvent, streams, subjects } from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import { decode } from "./codec.ts";
import type { Transport } from "./transport.ts";

/** Every event of one experiment in order, from its first; then live until the signal aborts, unless `follow` is false. */
export async function* readEvents(
  { transport, log }: { transport: Transport; log: Logger },
  experimentId: string,
  { signal, follow = true }: { signal: AbortSignal; follow?: boolean },
): AsyncGenerator<RangeEvent> {
  if (signal.aborted) return;
  const filter = subjects.eventsOf(experimentId);
  for await (const { subject, data } of transport.read(streams.events.name, filter, { signal, follow })) {
    try {
      yield decode(RangeEvent, subject, data);
    } catch (error) {
      log.warn({ subject, error: String(error) }, "an event that cannot be read is left out");
    }
  }
}
