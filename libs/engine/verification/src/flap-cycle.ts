import type { FaultContext } from "@microremed/catalogue";

/** Cluster time, ms, in which a fault that comes and goes has acted and rested once; 0: it stays. */
export function cycleMs({ flap }: Pick<FaultContext, "flap">): number {
  return flap ? (flap.onSeconds + flap.offSeconds) * 1000 : 0;
}
