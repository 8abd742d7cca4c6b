import { parseTraceparent } from "@microremed/bus";
import { advance, type EpisodeEvent, messagesOf } from "@microremed/episode";
import { anArena, anEpisode, aPlan, aResult, bodies, failedWith } from "@microremed/episode/testing";
import { createMetrics } from "@microremed/service-kit";
import { expect, test } from "vitest";
import type { ObservedStep } from "./observed-step.ts";
import { stepMetrics } from "./step-metrics.ts";
import { spansOf } from "./step-spans.ts";

const plan = aPlan();

function step(before: ObservedStep["before"], event: EpisodeEvent, now: number) {
  const taken = advance(before, plan, event, now);
  if (!taken) throw new Error("the event does not concern the episode");
  const observed: ObservedStep = {
    before,
    after: taken.record,
    event,
    plan,
    startedAt: now,
    endedAt: now + 1,
  };
  const messages = messagesOf(before, taken, plan, now);
  return {
    observed,
    after: taken.record,
    traceparents: messages.map(({ headers }) => headers?.["traceparent"]),
  };
}

const leased = step(anEpisode(), { kind: "leased", arena: anArena }, 1_000);

test("the command of a stage names the span that is recorded when the stage ends, below that of the episode", () => {
  const answered = { kind: "result", result: aResult(leased.after, "prepare", bodies.prepare.ok) } as const;
  const { observed } = step(leased.after, answered, 3_000);
  const [prepare, ...more] = spansOf(observed);
  expect(more).toEqual([]);
  expect(prepare).toMatchObject({ name: "stage prepare", startedAt: 1_000, endedAt: 3_000 });
  expect(prepare?.errorCode).toBeUndefined();
  expect(new Set(leased.traceparents)).toEqual(new Set([prepare?.traceparent]));
  const [own, above] = [prepare?.traceparent, prepare?.parent ?? ""].map((name) => parseTraceparent(name));
  expect(own?.traceId).toBe(above?.traceId);
  expect(own?.spanId).not.toBe(above?.spanId);
});

test("a lease has no message, so its span is the scheduler's own", () => {
  expect(spansOf(leased.observed)).toMatchObject([
    { name: "schedule leased", startedAt: 1_000, endedAt: 1_001, attributes: { "microremed.cluster": "c1" } },
  ]);
});

test("an episode's span is recorded at its end, from its first stage on; a failed stage's has the error code", async () => {
  const metrics = createMetrics("tester");
  const count = stepMetrics(metrics);
  const failure = aResult(leased.after, "prepare", failedWith("invalid-request"));
  const judged = step(leased.after, { kind: "result", result: failure }, 3_000);
  const restored = aResult(judged.after, "restore", bodies.restore.ok);
  const done = step(judged.after, { kind: "result", result: restored }, 5_000);
  expect(done.after).toMatchObject({ state: "done", outcome: "harness-error" });
  for (const { observed } of [leased, judged, done]) count(observed);

  expect(spansOf(judged.observed)).toMatchObject([{ name: "stage prepare", errorCode: "invalid-request" }]);
  const [restore, episode] = spansOf(done.observed);
  expect(restore).toMatchObject({ name: "stage restore", startedAt: 3_000, parent: episode?.traceparent });
  expect(episode).toMatchObject({
    name: "episode",
    parent: null,
    startedAt: 1_000,
    errorCode: "invalid-request",
    attributes: { "microremed.outcome": "harness-error", "microremed.failure": "cpu-stress" },
  });
  const text = await metrics.registry.metrics();
  for (const line of [
    'microremed_episodes_finished_total{outcome="harness-error",failure="cpu-stress",service="tester"} 1',
    'microremed_stage_failures_total{stage="prepare",code="invalid-request",service="tester"} 1',
    'microremed_stage_duration_seconds_sum{service="tester",stage="restore"} 2',
  ])
    expect(text).toContain(line);
});

test("experiments of one id that were submitted at different times have different traces", () => {
  const again = { ...plan, submittedAt: plan.submittedAt + 1 };
  const traceIds = [plan, again].map(
    (of) => parseTraceparent(spansOf({ ...leased.observed, plan: of })[0]?.parent ?? "")?.traceId,
  );
  expect(new Set(traceIds).size).toBe(2);
});
