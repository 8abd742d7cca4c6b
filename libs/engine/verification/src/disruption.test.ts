import type { Baseline, InjectionEvidence, RequestReading } from "@microremed/contracts";
import { environments } from "@microremed/environments";
import { aPod } from "@microremed/oracles/testing";
import { expect, test } from "vitest";
import { disruptionOf, type EpisodeTimes } from "./disruption.ts";

const environment = environments.get("simple-micro");
const edges = [{ edge: "hello-service", perSecond: 2, success: 1, p95Ms: 25 }];
const baseline: Baseline = { takenAt: 0, values: {}, edges };
const verdict = { oracle: "loss", passed: true, reason: "", measurements: [] };
const read = (at: number, good: number, slow = 0): RequestReading => ({ at, good, slow, failed: 0 });
const injection: InjectionEvidence = { injectedAt: 0, expiresAt: null, verdict, requests: read(0, 1000) };
const times: EpisodeTimes = {
  injectedAt: 0,
  remedyAt: 60_000,
  endedAt: 100_000,
  mitigatedAt: 70_000,
  recoveredAt: 80_000,
};

test("separates the injection's cost from the remedy's, by its time", () => {
  // Half of 2 a second come through until the playbook starts at 60 s, of which 10 late; none until 80 s; all then.
  const readings = [read(60_000, 1050, 10), read(80_000, 1050, 10), read(100_000, 1090, 10)];
  expect(disruptionOf(environment, baseline, injection, readings, [], times)).toEqual({
    injection: { seconds: 60, requests: 120, failed: 60, slow: 10, violationSeconds: 35, podsRestarted: 0 },
    remedy: { seconds: 40, requests: 80, failed: 40, slow: 0, violationSeconds: 20, podsRestarted: 0 },
    mitigatedSeconds: 70,
    recoveredSeconds: 80,
  });
});

test("what happened between two readings is spread over the time between them", () => {
  const { injection: first, remedy } = disruptionOf(
    environment,
    baseline,
    injection,
    [read(100_000, 1100)],
    [],
    times,
  );
  expect([first.failed, remedy?.failed]).toEqual([60, 40]);
});

test("a restarted program counts from nought, and never for less than nothing", () => {
  const lost = disruptionOf(environment, baseline, injection, [read(100_000, 500)], [], times);
  expect(lost.injection.failed).toBe(0);
});

test("without metrics nothing is said of requests, but restarts are", () => {
  const started = new Date(65_000).toISOString();
  const pods = [
    { ...aPod(), metadata: { ...aPod().metadata, creationTimestamp: started } },
    { ...aPod(), metadata: { ...aPod().metadata, creationTimestamp: "1960-01-01T00:00:00Z" } },
  ];
  const bare = { takenAt: 0, values: {} };
  const found = disruptionOf(environment, bare, injection, [], pods, times);
  expect(found.injection).toMatchObject({ requests: null, failed: null, podsRestarted: 0 });
  expect(found.remedy).toMatchObject({ violationSeconds: null, podsRestarted: 1 });
});

test("without a playbook everything is the injection's", () => {
  const found = disruptionOf(environment, baseline, injection, [read(100_000, 1200)], [], {
    ...times,
    remedyAt: null,
    recoveredAt: null,
  });
  expect(found).toMatchObject({
    injection: { seconds: 100, failed: 0 },
    remedy: null,
    recoveredSeconds: null,
  });
});
