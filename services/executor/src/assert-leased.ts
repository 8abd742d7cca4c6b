import type { ProbeRequest } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import type { State } from "@microremed/state";

/** Throws `stale-lease` (terminal) unless the arena is leased to the episode, with the fence that the request has. */
export async function assertLeased(
  { arena, episodeId }: Pick<ProbeRequest, "arena" | "episodeId">,
  arenas: Pick<State["arenas"], "get">,
): Promise<void> {
  const { fence, episode } = await arenas.get(arena);
  if (fence === arena.fence && episode === episodeId) return;
  throw terminal(
    "stale-lease",
    `episode ${episodeId} no longer holds arena ${arena.cluster}/${arena.slot}: its lease has the fence ${arena.fence}, the current one is ${fence}`,
    { fence, held: arena.fence },
  );
}
