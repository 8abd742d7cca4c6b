import type { SchedulerDeps } from "./service.types.ts";

/**
 * Makes the arenas of the clusters at this moment the known ones, if that is not what it did last: schedulers that see a
 * change of their clusters file at different times do not undo each other's. A cluster that is drained has no arenas.
 */
export function createClusterRegistration({
  state,
  clusters,
}: Pick<SchedulerDeps, "state" | "clusters">): () => Promise<void> {
  let registered = "";
  return async () => {
    const wanted = clusters().map(({ name, arenas, drain }) => ({ name, arenas: drain ? 0 : arenas }));
    const text = JSON.stringify(wanted);
    if (text === registered) return;
    await state.arenas.register(wanted);
    registered = text;
  };
}
