import type { Bus } from "@microremed/bus";
import type { RangeEvent } from "@microremed/contracts";

/** The range's events as they come, for all who wait for one at this replica. */
export interface EventHub extends AsyncDisposable {
  /** Calls back for every event until the returned function is called. */
  listen(onEvent: (event: RangeEvent) => void): () => void;
  /** Events from now on until the signal aborts; of a reader who is slow, all but the latest thousand are left out. */
  stream(signal: AbortSignal): AsyncGenerator<RangeEvent>;
}

/** Events that wait for one reader. */
const mostWaiting = 1_000;

/** One subscription at the bus, whatever number of readers there is. */
export async function openEventHub(bus: Pick<Bus, "watchEvents">): Promise<EventHub> {
  const listeners = new Set<(event: RangeEvent) => void>();
  const watching = await bus.watchEvents((event) => {
    for (const listener of [...listeners]) listener(event);
  });
  const listen: EventHub["listen"] = (onEvent) => {
    listeners.add(onEvent);
    return () => void listeners.delete(onEvent);
  };
  async function* stream(signal: AbortSignal): AsyncGenerator<RangeEvent> {
    const waiting: RangeEvent[] = [];
    let wake = (): void => {};
    const stop = listen((event) => {
      waiting.push(event);
      if (waiting.length > mostWaiting) waiting.shift();
      wake();
    });
    const onAbort = (): void => wake();
    signal.addEventListener("abort", onAbort);
    try {
      while (!signal.aborted) {
        const next = waiting.shift();
        if (next) yield next;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      stop();
      signal.removeEventListener("abort", onAbort);
    }
  }
  return { listen, stream, [Symbol.asyncDispose]: () => watching[Symbol.asyncDispose]() };
}
