import { type EpisodeRecord, type ErrorInfo, type ThinkTime, turnSteps } from "@microremed/contracts";

/** Of the time that the fault acted, the agent must have used more than this for it to be the agent's doing that it ended. */
const ownShare = 1 / 2;

/**
 * Whether a fault ended by itself because the agent let it: its tools, waits, actions, thinking and the verifications of what it
 * did took most of the time for which the fault acted. Otherwise the harness was slow, and the agent is charged with nothing.
 */
export function hasLetExpire(
  { steps }: Pick<EpisodeRecord, "steps">,
  { code, details }: ErrorInfo,
  thinkTime: ThinkTime,
): boolean {
  const { injectedAt, expiresAt } = details;
  if (code !== "fault-expired" || typeof injectedAt !== "number" || typeof expiresAt !== "number")
    return false;
  const seconds = turnSteps(steps).map((step) => {
    const { usage, toolClusterMs = 0 } = step.turn;
    const thinking = thinkTime === "counted" ? (usage.modelSeconds ?? 0) : 0;
    const acting = step.kind === "act" ? (step.result?.clusterSeconds ?? 0) : 0;
    return thinking + toolClusterMs / 1000 + acting + (step.verdict?.clusterSeconds ?? 0);
  });
  const own = seconds.reduce((sum, one) => sum + one, 0);
  return own * 1000 > ownShare * (expiresAt - injectedAt);
}
