import { environments } from "@microremed/environments";
import { aPod } from "@microremed/oracles/testing";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { judgedFault } from "./judged-fault.ts";
import { fakeCluster, type Scene } from "./testing/fake-cluster.ts";
import { verifyRecovery } from "./verify-recovery.ts";

const catalogue = await builtInCatalogue();
const stressed = 0.3;
const idle = 0.02;
const baseline = {
  takenAt: 0,
  values: { replicas: 1, cpuUsageCores: 0.02, cpuLimitCores: 0.3, cpuRequestCores: 0.2 },
};

function verify(at: (ms: number) => Scene, expiresAt: number | null = null) {
  const cluster = fakeCluster(at);
  const context = {
    cluster,
    namespace: "shop",
    environment: environments.get("online-boutique"),
    target: "cartservice",
  };
  const verdict = { oracle: "cpu", passed: true, reason: "", measurements: [] };
  return verifyRecovery(
    context,
    judgedFault(catalogue, "cpu-stress"),
    { baseline, injection: { injectedAt: 0, expiresAt, verdict }, remedyAt: null },
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

test("a fault that ended by itself gives no verdict; one that was removed does", async () => {
  await expect(verify(() => ({ cpu: idle, chaos: true }), 0)).rejects.toMatchObject({
    code: "fault-expired",
  });
  expect(await verify(() => ({ cpu: idle, chaos: false }), 0)).toMatchObject({ recovered: true });
});
