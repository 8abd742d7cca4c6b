import { createMemoryBounds, type MemoryBounds } from "./memory-bounds.ts";
import { createPodNetwork, type PodNetwork } from "./pod-network.ts";

/** What of this machine pods run on. */
export interface Machine extends AsyncDisposable {
  readonly network: PodNetwork;
  /** Undefined: memory cannot be bounded here. */
  readonly bounds: MemoryBounds | undefined;
}

/** With root: networks and bounds of their own for pods. Without: the loopback, and no bounds. */
export async function createMachine(): Promise<Machine> {
  await using stack = new AsyncDisposableStack();
  const network = stack.use(await createPodNetwork());
  const bounds = stack.use((await createMemoryBounds()) ?? null) ?? undefined;
  const owned = stack.move();
  return { network, bounds, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
