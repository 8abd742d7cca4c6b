import type { RangeEvent } from "@microremed/contracts";
import type { RangeClient } from "@microremed/range-client";
import { createProgress } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

type Finished = Extract<RangeEvent, { type: "experiment-finished" }>["status"];

/**
 * Shows the experiments' progress until all of them have finished. Returns how each ended, in the order given.
 * `see` is given every event. Rejects with the signal's reason when aborted.
 */
export async function followExperiments(
  client: RangeClient,
  experimentIds: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
  see: (event: RangeEvent) => void = () => {},
): Promise<Finished[]> {
  const progress = createProgress(terminal, Date.now());
  const ticking = setInterval(() => progress.tick(Date.now()), terminal.interactive ? 200 : 1_000);
  try {
    return await Promise.all(
      experimentIds.map((id) =>
        untilFinished(client, id, signal, (event) => {
          progress.show(event);
          see(event);
        }),
      ),
    );
  } finally {
    clearInterval(ticking);
  }
}

/** How an experiment ended; calls `see` for every event. Rejects with the signal's reason when aborted. */
export async function untilFinished(
  client: RangeClient,
  experimentId: string,
  signal: AbortSignal,
  see: (event: RangeEvent) => void = () => {},
): Promise<Finished> {
  for await (const event of client.events(experimentId, signal)) {
    see(event);
    if (event.type === "experiment-finished") return event.status;
  }
  signal.throwIfAborted();
  throw new Error(`the event stream of ${experimentId} ended before the experiment did`);
}
