import type { KubeObject } from "@microremed/sim-objects";
import { parseGoDuration } from "@microremed/sim-time";
import { pauseAnnotation } from "../model/conditions.ts";
import type { DesiredPhase } from "../model/records.ts";

export interface PhaseDecision {
  readonly phase: DesiredPhase;
  /** Reason and message of the Kubernetes event when this is a change. */
  readonly reason: "Started" | "Paused" | "TimeUp" | "Deleted";
  readonly message: string;
}

const started: PhaseDecision = { phase: "Run", reason: "Started", message: "Experiment has started" };

/** When the experiment's duration ends, ms since the epoch: counted from creation, not from injection. */
export function endsAt(object: KubeObject): number | undefined {
  const duration = object.spec?.duration;
  if (typeof duration !== "string" || duration === "") return undefined;
  try {
    return Date.parse(object.metadata.creationTimestamp) + parseGoDuration(duration);
  } catch {
    return undefined;
  }
}

/** Whether the experiment should be running at `now`; the first rule that applies decides. */
export function decidePhase(object: KubeObject, oneShot: boolean, now: number): PhaseDecision {
  if (object.metadata.deletionTimestamp)
    return { phase: "Stop", reason: "Deleted", message: "Experiment has been deleted" };
  if (oneShot) return started;
  const end = endsAt(object);
  if (end !== undefined && end <= now)
    return { phase: "Stop", reason: "TimeUp", message: "Time up according to the duration" };
  if (object.metadata.annotations?.[pauseAnnotation] === "true")
    return { phase: "Stop", reason: "Paused", message: "Experiment has been paused" };
  return started;
}
