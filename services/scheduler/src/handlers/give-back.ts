import { experimentIdOf, type GiveBackQuery, type GiveBackReply } from "@microremed/contracts";
import type { SchedulerDeps } from "../service.types.ts";

/** Whether an episode whose agent asks for nothing is to give its arena back: see `Arenas.giveBack`. */
export async function giveBack(
  { state }: Pick<SchedulerDeps, "state">,
  { episodeId, arena: { cluster, slot, fence }, isSilent }: GiveBackQuery,
): Promise<GiveBackReply> {
  const lease = { experimentId: experimentIdOf(episodeId), episodeId, cluster, slot, fence };
  return { giveBack: await state.arenas.giveBack(lease, isSilent) };
}
