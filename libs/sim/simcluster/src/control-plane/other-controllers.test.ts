import { resources } from "@microremed/sim-objects";
import { isCronMinute } from "@microremed/sim-time";
import { expect, test } from "vitest";
import { createSteppedWorld } from "../testing/stepped-world.ts";
import { aPod, aPodSpec } from "../testing/workloads.ts";

const jobSpec = (command: readonly string[], rest: object = {}) => ({
  template: { spec: aPodSpec({ image: "busybox:1.36", command, spec: { restartPolicy: "Never" } }) },
  ...rest,
});

test("runs a job to its completions, and gives up at the back-off limit", () => {
  const world = createSteppedWorld();
  world.createNamespace();
  const job = (name: string, spec: object) =>
    world.create(resources.jobs, {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name, namespace: "shop" },
      spec,
    });
  job("good", jobSpec(["true"], { completions: 3, parallelism: 2 }));
  job("bad", jobSpec(["false"], { backoffLimit: 1 }));
  world.stepUntil(() => ["good", "bad"].every((name) => world.get(resources.jobs, name)?.status?.conditions));
  expect(world.get(resources.jobs, "good")?.status).toMatchObject({
    succeeded: 3,
    conditions: [{ type: "Complete" }],
  });
  expect(world.get(resources.jobs, "bad")?.status).toMatchObject({
    failed: 2,
    conditions: [{ type: "Failed", reason: "BackoffLimitExceeded" }],
  });
});

test("starts a cron job's jobs when they are due", () => {
  const world = createSteppedWorld();
  world.createNamespace();
  world.create(resources.cronJobs, {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: "tick", namespace: "shop" },
    spec: { schedule: "*/2 * * * *", jobTemplate: { spec: jobSpec(["true"]) } },
  });
  world.loop.advance(301_000);
  expect(world.store.list(resources.jobs, "shop")).toHaveLength(2);
  expect(isCronMinute("30 8 * * 1-5", Date.parse("2026-03-02T08:30:10Z"))).toBe(true);
  expect(isCronMinute("30 8 * * 1-5", Date.parse("2026-03-01T08:30:10Z"))).toBe(false);
});

test("says why a pod fits on no node, and places it once one is free", () => {
  const world = createSteppedWorld();
  world.createNamespace();
  const requests = (cpu: string) => ({ resources: { requests: { cpu } } });
  for (const n of [1, 2, 3])
    world.create(resources.pods, aPod({ name: `big-${n}`, container: requests("15") }));
  world.loop.advance(5000);
  expect(new Set(world.pods().map((pod) => pod.spec.nodeName)).size).toBe(3);
  world.create(resources.pods, aPod({ container: requests("2") }));
  world.loop.advance(1000);
  expect(world.events("FailedScheduling")[0]?.["message"]).toBe(
    "0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.",
  );
  world.store.delete(resources.pods, "shop", "big-2");
  world.stepUntil(() => Boolean(world.get(resources.pods, "alone")?.spec.nodeName), 10);
});

test("runs a daemon set's pod on every node", () => {
  const world = createSteppedWorld();
  world.createNamespace();
  world.create(resources.daemonSets, {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "agent", namespace: "shop" },
    spec: {
      selector: { matchLabels: { app: "agent" } },
      template: { metadata: { labels: { app: "agent" } }, spec: aPodSpec() },
    },
  });
  world.stepUntil(() => world.get(resources.daemonSets, "agent")?.status?.numberReady === 3);
  expect(new Set(world.pods().map((pod) => pod.spec.nodeName)).size).toBe(3);
});

test("makes the same world from the same seed, event for event", () => {
  const dump = (): string => {
    const world = createSteppedWorld({ seed: 7, systems: ["simple-micro"] });
    world.createNamespace();
    world.apply("simple-micro");
    world.loop.advance(60_000);
    world.store.delete(resources.pods, "shop", world.pods()[0]?.metadata.name ?? "");
    world.loop.advance(60_000);
    return (
      JSON.stringify(world.store.snapshot().resourceVersion) +
      JSON.stringify(Object.values(resources).map((each) => world.store.list(each)))
    );
  };
  expect(dump()).toBe(dump());
});
