import { endSteps, environmentOf } from "@microremed/contracts";
import { episodeSpan, stageSpan } from "@microremed/episode";
import type { PastSpan, SpanAttributes } from "@microremed/service-kit";
import { endedStage, type ObservedStep } from "./observed-step.ts";

/** The spans that a step completes: of the stage that ended with it, of the episode, and of what had no message. */
export function spansOf(step: ObservedStep): PastSpan[] {
  return [...stage(step), ...decision(step), ...episode(step)];
}

function stage(step: ObservedStep): PastSpan[] {
  const ended = endedStage(step);
  if (!ended) return [];
  const { after, plan } = step;
  const { stage, trial, attempt, startedAt, endedAt, errorCode } = ended;
  const span: PastSpan = {
    name: `stage ${stage}`,
    traceparent: stageSpan({ id: after.id, stage, trial, attempt }, plan),
    parent: episodeSpan(after, plan),
    startedAt,
    endedAt,
    errorCode,
    attributes: { ...identity(step), "microremed.trial": trial, "microremed.attempt": attempt },
  };
  return [span];
}

/** Results are messages, which have spans already. */
function decision(step: ObservedStep): PastSpan[] {
  const { after, event, plan, startedAt, endedAt } = step;
  if (event.kind === "result") return [];
  const attributes = {
    ...identity(step),
    "microremed.state": after.state,
    "microremed.cluster": after.arena?.cluster,
  };
  const parent = episodeSpan(after, plan);
  return [{ name: `schedule ${event.kind}`, parent, startedAt, endedAt, attributes }];
}

function episode(step: ObservedStep): PastSpan[] {
  const { after, plan, startedAt, endedAt } = step;
  if (after.state !== "done") return [];
  const span: PastSpan = {
    name: "episode",
    traceparent: episodeSpan(after, plan),
    parent: null,
    startedAt: after.timings[0]?.startedAt ?? startedAt,
    endedAt,
    errorCode: after.outcome === "harness-error" ? (after.error?.code ?? "harness-error") : undefined,
    attributes: {
      ...identity(step),
      "microremed.environment": environmentOf(after, plan.request),
      "microremed.failure": after.failure,
      "microremed.target": after.target,
      "microremed.method": after.method,
      "microremed.model": after.model,
      "microremed.outcome": after.outcome ?? undefined,
      "microremed.trials": after.trial,
      "microremed.attempts": endSteps(after.steps).length,
    },
  };
  return [span];
}

function identity({ after }: ObservedStep): SpanAttributes {
  return { "microremed.experiment.id": after.experimentId, "microremed.episode.id": after.id };
}
