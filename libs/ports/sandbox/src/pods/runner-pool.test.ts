import { silentLogger, terminal } from "@microremed/core";
import { expect, test } from "vitest";
import { fakeRunnerHost } from "../testing/fake-runner-host.ts";
import { runnerSettings } from "../testing/runner-settings.ts";
import { removeLostRunners } from "./runner-janitor.ts";
import { createRunnerPool } from "./runner-pool.ts";
import type { RunnerSettings } from "./runner-settings.ts";

const settings: RunnerSettings = { ...runnerSettings, owner: "me", warm: 2, most: 3 };
const need = { names: [], timeoutMs: 60_000 };

function pool(host = fakeRunnerHost(), own: Partial<RunnerSettings> = {}) {
  return { host, runners: createRunnerPool(host, { ...settings, ...own }, { log: silentLogger }) };
}

test("so many pods wait as are asked for, each takes one run, and is deleted then", async () => {
  const { host, runners } = pool();
  await using _runners = runners;
  await expect.poll(() => runners.counts.waiting).toBe(2);
  const first = await runners.take(need);
  expect(host.made).toContain(first.name);
  await first[Symbol.asyncDispose]();
  expect(host.pods.has(first.name)).toBe(false);
  const second = await runners.take(need);
  expect(second.name).not.toBe(first.name);
  await second[Symbol.asyncDispose]();
});

test("a run that gets a pod moves the pod's deadline to its own", async () => {
  const { host, runners } = pool();
  await using _runners = runners;
  await using runner = await runners.take(need);
  const { activeDeadlineSeconds = 0 } = host.pods.get(runner.name)?.spec ?? {};
  expect(activeDeadlineSeconds).toBeGreaterThanOrEqual(120);
  expect(activeDeadlineSeconds).toBeLessThanOrEqual(120 + Math.ceil(runner.age() / 1000));
});

test("there are never more pods than may be: who finds none free waits for one", async () => {
  const { host, runners } = pool(fakeRunnerHost(), { warm: 1, most: 2 });
  await using _runners = runners;
  const taken = [await runners.take(need), await runners.take(need)];
  const third = runners.take(need);
  await new Promise((soon) => setTimeout(soon, 50));
  expect(host.pods.size).toBe(2);
  await taken[0]?.[Symbol.asyncDispose]();
  const runner = await third;
  expect(host.pods.size).toBe(2);
  await Promise.all([taken[1], runner].map((one) => one?.[Symbol.asyncDispose]()));
});

test("a waiting pod that is lost is replaced, and one without a name that a run needs is not given", async () => {
  const { host, runners } = pool();
  await using _runners = runners;
  await expect.poll(() => runners.counts.waiting).toBe(2);
  const [lost = ""] = host.made;
  host.lose(lost, null);
  await expect.poll(() => [host.made.length, runners.counts.waiting]).toEqual([3, 2]);
  await using named = await runners.take({ ...need, names: ["api.example.org"] });
  expect(named.names).toEqual(["api.example.org"]);
  // From now on every run may need it.
  await expect.poll(() => runners.counts.waiting).toBe(2);
  const aliases = [...host.pods.values()].map(
    (pod) => (pod["spec"] as { hostAliases?: { hostnames: string[] }[] }).hostAliases?.[0]?.hostnames,
  );
  expect(aliases).toEqual([["api.example.org"], ["api.example.org"], ["api.example.org"]]);
});

test("a pod that reaches what it must not takes no run, and is not left", async () => {
  const host = fakeRunnerHost();
  host.reached = ["10.96.0.1 port 443"];
  const open = pool(host, { warm: 0, network: "unenforced" });
  await using _open = open.runners;
  await using runner = await open.runners.take(need);
  expect(runner.name).toMatch(/^run-/);
  const { runners } = pool(host, { warm: 0 });
  await using _runners = runners;
  const late = AbortSignal.timeout(1500);
  await expect(runners.take(need, late)).rejects.toThrow();
  await expect.poll(() => [...host.pods.keys()]).toEqual([runner.name]);
});

test("what the cluster refuses is a fault of the sandbox, in the cluster's words", async () => {
  const host = fakeRunnerHost();
  host.refusal = terminal("cluster-refused", "exceeded quota: runners", { status: 403 });
  const { runners } = pool(host, { warm: 0 });
  await using _runners = runners;
  await expect(runners.take(need)).rejects.toMatchObject({
    code: "sandbox-unavailable",
    severity: "retryable",
    message: expect.stringMatching(/exceeded quota: runners.*base\/runners/),
  });
  host.refusal = undefined;
  host.status = { phase: "Failed", containerStatuses: [] };
  await expect(runners.take(need)).rejects.toMatchObject({ code: "sandbox-unavailable" });
  expect(host.pods.size).toBe(0);
});

test("at its end no waiting pod is left", async () => {
  const { host, runners } = pool();
  await expect.poll(() => runners.counts.waiting).toBe(2);
  await runners[Symbol.asyncDispose]();
  expect(host.pods.size).toBe(0);
  await expect(runners.take(need)).rejects.toMatchObject({ code: "sandbox-unavailable" });
});

test("the janitor deletes the pods for which no executor vouches, and no others", async () => {
  const host = fakeRunnerHost();
  const { runners } = pool(host);
  await using _runners = runners;
  await expect.poll(() => runners.counts.waiting).toBe(2);
  const isLost = (now: number) => (_owner: string, until: number) => until < now;
  expect(await removeLostRunners(host, settings, isLost(Date.now()))).toBe(0);
  expect(await removeLostRunners(host, settings, isLost(Date.now() + 3_600_000))).toBe(2);
  expect(await removeLostRunners(host, settings, (owner) => owner === "me")).toBeGreaterThanOrEqual(0);
});
