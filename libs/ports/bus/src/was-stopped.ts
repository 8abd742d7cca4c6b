import type { MessageContext } from "./bus.ts";

/**
 * Whether a handler threw because its service began to stop while it only waited: the error, or its cause (as Node's
 * timers have it), is the reason of `stopping`.
 */
export function wasStopped(thrown: unknown, { stopping }: Pick<MessageContext, "stopping">): boolean {
  if (!stopping.aborted) return false;
  return thrown === stopping.reason || (thrown instanceof Error && thrown.cause === stopping.reason);
}
