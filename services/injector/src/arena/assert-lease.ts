import type { Arena } from "@microremed/contracts";
import { terminal } from "@microremed/core";

/** Throws `stale-lease` when the arena has been leased again since. */
export async function assertLease(
  arenas: { currentFence(arena: Arena): Promise<number> },
  arena: Arena,
): Promise<void> {
  const fence = await arenas.currentFence(arena);
  if (fence === arena.fence) return;
  throw terminal(
    "stale-lease",
    `arena ${arena.cluster}/${arena.slot} has been leased to somebody else: the fence is ${fence}, ours was ${arena.fence}`,
    { fence, held: arena.fence },
  );
}
