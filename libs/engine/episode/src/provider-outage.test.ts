import { expect, test } from "vitest";
import { aPlan, bodies, failedWith } from "./testing/builders.ts";
import { leased } from "./testing/walk.ts";

const outages = ["model-unreachable", "model-overloaded", "model-garbled"];

test("a model's endpoint that fails is the harness's end, never the model's", () => {
  for (const code of ["model-unreachable", "model-overloaded", "model-refused", "model-garbled"]) {
    const walk = leased(aPlan({ timeouts: { outageSeconds: 0 } }));
    for (const body of [bodies.prepare.ok, bodies.inject.ok, failedWith(code)]) walk.next(body);
    expect(walk.record).toMatchObject({ state: "restoring", outcome: "harness-error", error: { code } });
  }
});

test("where the provider fails, the episode waits for it, and ends when that has failed for too long", () => {
  const refusedKey = {
    status: "failed",
    error: { ...failedWith("model-refused").error, details: { status: 401 } },
  };
  for (const failure of [...outages.map(failedWith), refusedKey]) {
    const walk = leased();
    for (const body of [bodies.prepare.ok, bodies.inject.ok, failure]) walk.next(body);
    expect(walk.record).toMatchObject({ state: "restoring", outcome: null });
    walk.next(bodies.restore.ok);
    expect(walk.record).toMatchObject({ state: "planned", trial: 2 });
    walk.happen({ kind: "no-model", reason: "silent for an hour" });
    expect(walk.record).toMatchObject({
      state: "done",
      outcome: "harness-error",
      reason: "silent for an hour",
      error: { code: "model-unreachable" },
    });
  }
});

test("a request that the provider refuses is no reason for another arena", () => {
  const walk = leased();
  for (const body of [bodies.prepare.ok, bodies.inject.ok, failedWith("model-refused")]) walk.next(body);
  expect(walk.record).toMatchObject({
    state: "restoring",
    outcome: "harness-error",
    error: { code: "model-refused" },
  });
});
