import type { Metrics } from "@microremed/service-kit";
import { endedStage, type ObservedStep } from "./observed-step.ts";

/** From the decision that a stage is next to the taking of its result, seconds. */
const stageBuckets = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800];

/** Counts what happens to episodes. */
export function stepMetrics(metrics: Metrics): (step: ObservedStep) => void {
  const finished = metrics.counter({
    name: "microremed_episodes_finished_total",
    help: "Episodes that ended, by outcome and failure",
    labels: ["outcome", "failure"],
  });
  const duration = metrics.histogram({
    name: "microremed_stage_duration_seconds",
    help: "From the decision that a stage is next to the taking of its result, queues included",
    labels: ["stage"],
    buckets: stageBuckets,
  });
  const failed = metrics.counter({
    name: "microremed_stage_failures_total",
    help: "Stages that failed for a reason that is not the model's, by error code",
    labels: ["stage", "code"],
  });
  return (step) => {
    const ended = endedStage(step);
    if (ended) {
      const { stage, startedAt, endedAt, errorCode } = ended;
      duration({ stage }, Math.max(0, endedAt - startedAt) / 1000);
      if (errorCode !== undefined) failed({ stage, code: errorCode });
    }
    const { state, outcome, failure } = step.after;
    if (state === "done") finished({ outcome: outcome ?? "harness-error", failure });
  };
}
