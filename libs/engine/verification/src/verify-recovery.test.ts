import type { Pod } from "@microremed/cluster";
import { environments } from "@microremed/environments";
import { aPod } from "@microremed/oracles/testing";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { judgedFault } from "./judged-fault.ts";
import { fakeCluster, type Scene } from "./testing/fake-cluster.ts";
import { verifyRecovery } from "./verify-recovery.ts";

const catalogue = await builtInCatalogue();
const aVerdict = { oracle: "cpu", passed: true, reason: "", measurements: [] };
const stressed = 0.3;
const idle = 0.02;
const baseline = {
  takenAt: 0,
  values: { replicas: 1, cpuUsageCores: 0.02, cpuLimitCores: 0.3, cpuRequestCores: 0.2 },
};

function verify(at: (ms: number) => Scene, expiresAt: number | null = null, soakSeconds = 0) {
  const cluster = fakeCluster(at, { expiresAt });
  const context = {
    cluster,
    namespace: "shop",
    environment: environments.get("online-boutique"),
    target: "cartservice",
  };
  const verdict = aVerdict;
  return verifyRecovery(
    context,
    judgedFault(catalogue, "cpu-stress"),
    { baseline, injection: { injectedAt: 0, expiresAt, verdict }, remedyAt: null, soakSeconds },
    300,
  );
}

test("recovers only after a second pass, 20 s after the first", async () => {
  const verdict = await verify((ms) => ({ cpu: ms < 50_000 ? stressed : idle, chaos: ms < 40_000 }));
  expect(verdict).toMatchObject({ recovered: true, clusterSeconds: 70 });
});

test("says early that nothing happens any more, but not before a minute is over", async () => {
  const verdict = await verify(() => ({ cpu: stressed, chaos: true }));
  expect(verdict).toMatchObject({ recovered: false, clusterSeconds: expect.closeTo(65, -1) });
  expect(verdict.reason).toMatch(/nothing has changed for 60 s .* cpu: pod cartservice-1 uses 0.3 cores/);
});

test("waits until the deadline while a crashed container waits for its next start", async () => {
  const crashed = aPod({ ready: false, waiting: "CrashLoopBackOff" });
  const never = await verify(() => ({ cpu: stressed, chaos: true, pod: crashed }));
  expect(never).toMatchObject({ recovered: false, clusterSeconds: 300 });
  const late = await verify((ms) =>
    ms < 200_000 ? { cpu: stressed, chaos: true, pod: crashed } : { cpu: idle },
  );
  expect(late).toMatchObject({ recovered: true });
});

test("a replaced pod that takes minutes to get Ready is waited for, though the fault's object is still there", async () => {
  const verdict = await verify((ms) => ({
    cpu: ms < 150_000 ? stressed : idle,
    pod: aPod({ ready: ms >= 150_000 }),
    chaos: true,
  }));
  expect(verdict).toMatchObject({ recovered: true });
});

test("one lucky sample is no recovery", async () => {
  const verdict = await verify((ms) => ({ cpu: ms > 20_000 && ms < 30_000 ? idle : stressed, chaos: true }));
  expect(verdict.recovered).toBe(false);
});

test("a restart between the passes starts the hold window again", async () => {
  const verdict = await verify((ms) => ({
    cpu: idle,
    pod: { ...aPod(), metadata: { ...aPod().metadata, uid: ms < 15_000 ? "a" : "b" } },
  }));
  expect(verdict).toMatchObject({ recovered: true });
  expect(verdict.clusterSeconds).toBeGreaterThanOrEqual(40);
});

test("without metrics, or with old ones only, nothing recovers", async () => {
  const missing = await verify(() => ({}));
  expect(missing).toMatchObject({ recovered: false, reason: expect.stringContaining("no fresh cpu sample") });
  const stale = await verify(() => ({ cpu: idle, sampledAt: 0 }));
  expect(stale).toMatchObject({ recovered: false, reason: expect.stringContaining("no fresh cpu sample") });
});

test("metrics that stop after the first pass do not confirm it", async () => {
  const verdict = await verify((ms) => ({ cpu: idle, sampledAt: Math.min(ms, 5000) }));
  expect(verdict.recovered).toBe(false);
});

test("a pod that never gets Ready is waited for until the deadline", async () => {
  const verdict = await verify(() => ({ cpu: idle, pod: aPod({ ready: false }) }));
  expect(verdict).toMatchObject({ recovered: false, clusterSeconds: 300 });
});

test("a fault that ended by itself gives no verdict, whether or not its object is still there", async () => {
  for (const chaos of [true, false])
    await expect(verify(() => ({ cpu: idle, chaos }), 0)).rejects.toMatchObject({ code: "fault-expired" });
});

test("a fault that was seen to be over before its end is repaired", async () => {
  const removed = await verify((ms) => ({ cpu: ms < 50_000 ? stressed : idle, chaos: ms < 5_000 }), 30_000);
  expect(removed).toMatchObject({ recovered: true });
  const inOrder = await verify((ms) => ({ cpu: idle, chaos: ms < 60_000 }), 10_000);
  expect(inOrder).toMatchObject({ recovered: true });
});

test("pods that were all made after the injection and before the fault's end have been repaired", async () => {
  const made = (creationTimestamp: string): Pod => {
    const pod = aPod();
    return { ...pod, metadata: { ...pod.metadata, creationTimestamp } };
  };
  const late = (pod: Pod) =>
    verify((ms) => ({ cpu: ms < 60_000 ? stressed : idle, chaos: true, pod }), 50_000);
  expect(await late(made("1970-01-01T00:00:40Z"))).toMatchObject({ recovered: true });
  await expect(late(made("1970-01-01T00:00:55Z"))).rejects.toMatchObject({ code: "fault-expired" });
});

test("while something acts on the arena nothing is recovered", async () => {
  const policy = { kind: "NetworkPolicy", metadata: { name: "closed" } };
  const verdict = await verify(() => ({ cpu: idle, more: [policy] }));
  expect(verdict).toMatchObject({ recovered: false, clean: false });
  expect(verdict.reason).toContain("declared: NetworkPolicy/closed was added, which acts on the system");
});

test("recovered is not clean where something is left", async () => {
  const map = { kind: "ConfigMap", metadata: { name: "notes" } };
  expect(await verify(() => ({ cpu: idle, more: [map] }))).toMatchObject({
    recovered: true,
    clean: false,
    changes: [{ class: "foreign", object: "ConfigMap/notes" }],
  });
  expect(await verify(() => ({ cpu: idle }))).toMatchObject({ recovered: true, clean: true, changes: [] });
});

test("what does not hold for the soak has relapsed", async () => {
  const calm = await verify(() => ({ cpu: idle }), null, 600);
  expect(calm).toMatchObject({ recovered: true, clean: true });
  expect(calm.clusterSeconds).toBeGreaterThanOrEqual(620);
  const bomb = await verify((ms) => ({ cpu: ms < 240_000 ? idle : stressed }), null, 600);
  expect(bomb).toMatchObject({ recovered: false, clean: false, relapsedAfterSeconds: expect.any(Number) });
  expect(bomb.reason).toMatch(/^relapsed within 600 s; cpu: /);
  const uid = (ms: number): string => (ms < 240_000 ? "a" : "b");
  const restarted = await verify(
    (ms) => ({ cpu: idle, pod: { ...aPod(), metadata: { ...aPod().metadata, uid: uid(ms) } } }),
    null,
    600,
  );
  expect(restarted.reason).toMatch(/^relapsed .* replaced or restarted/);
  const lateEnd = await verify(
    (ms) => ({
      cpu: idle,
      pod: { ...aPod(), metadata: { ...aPod().metadata, uid: ms < 40_000 ? "a" : "b" } },
    }),
    null,
    600,
  );
  expect(lateEnd, lateEnd.reason).toMatchObject({ recovered: true });
});

test("an arena that is not the one of the injection gives no verdict", async () => {
  const cluster = fakeCluster(() => ({ cpu: idle }));
  const context = {
    cluster,
    namespace: "shop",
    environment: environments.get("online-boutique"),
    target: "x",
  };
  const injection = { injectedAt: 0, expiresAt: null, verdict: aVerdict };
  await expect(
    verifyRecovery(
      context,
      judgedFault(catalogue, "cpu-stress"),
      { baseline, injection, remedyAt: null },
      300,
    ),
  ).rejects.toMatchObject({ code: "arena-lost" });
});
