import type { Clock } from "@microremed/core";
import type { LocalApi } from "@microremed/sim-apiserver";
import type { SteppedClock } from "@microremed/sim-time";
import type { NamedSnapshots } from "./named-snapshots.ts";

/** An API server for callers in this process, with the clock of its cluster and its snapshots. */
export interface SteppedApi extends LocalApi {
  readonly clock: Clock;
  readonly snapshots: NamedSnapshots;
}

/** While a request waits inside of the cluster, time goes on; a watch waits for whatever happens and moves nothing. */
export function createSteppedApi(
  { read, handle, exec }: LocalApi,
  clock: SteppedClock,
  snapshots: NamedSnapshots,
): SteppedApi {
  return {
    read,
    handle: (call) => (call.onChunk ? handle(call) : clock.during(() => handle(call), call.signal)),
    exec: (call) => clock.during(() => exec(call), call.signal),
    clock,
    snapshots,
  };
}
