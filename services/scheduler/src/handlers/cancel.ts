import type { CancelRequest } from "@microremed/contracts";
import { applyEvent } from "../apply-event.ts";
import type { SchedulerDeps } from "../service.types.ts";

const batch = 200;
/** Episodes cancelled at once. */
const lanes = 20;

/** Ends an experiment: waiting episodes at once, the others after their arenas are restored. Repeating it changes nothing. */
export async function cancel(deps: SchedulerDeps, { experimentId }: CancelRequest): Promise<void> {
  // From here on none of its episodes is given an arena, so waiting ones are ended here.
  const running = await deps.state.experiments.cancel(experimentId);
  if (!running) {
    deps.log.warn({ experiment_id: experimentId }, "nothing to cancel: the experiment is unknown or over");
    return;
  }
  await cancelAll(deps, await deps.state.episodes.active(experimentId));
  for (;;) {
    const pending = await deps.state.episodes.pending(experimentId, batch);
    if (pending.length === 0) return;
    await cancelAll(deps, pending);
  }
}

async function cancelAll(deps: SchedulerDeps, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += lanes) {
    await Promise.all(ids.slice(from, from + lanes).map((id) => applyEvent(deps, id, { kind: "cancel" })));
  }
}
