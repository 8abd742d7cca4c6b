import type { EventLoop } from "@microremed/sim-time";

/**
 * The kubelets' evictionPressureTransitionPeriod, ms. It is 5 min where nothing sets it, which is as long as an experiment
 * waits for a recovery.
 */
const transitionMs = 60_000;

/** Which nodes are short of memory, as their kubelets say. */
export interface NodePressures {
  /** For a minute after the last time that its memory was below the threshold. */
  of(node: string): boolean;
  /** Its memory is below the threshold now. */
  seen(node: string): void;
}

/** None at first. It is part of the loop's snapshots. */
export function createNodePressures({ keep, now }: Pick<EventLoop, "keep" | "now">): NodePressures {
  /** When its memory was below the threshold last, by node, ms. */
  const last = keep(new Map<string, number>());
  return {
    of: (node) => now() - (last.get(node) ?? Number.NEGATIVE_INFINITY) < transitionMs,
    seen: (node) => void last.set(node, now()),
  };
}
