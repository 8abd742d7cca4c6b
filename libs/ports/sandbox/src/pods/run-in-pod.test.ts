import { silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import { openSandbox } from "../open-sandbox.ts";
import { runConfined } from "../run-confined.ts";
import { type FakeRunnerHost, fakeRunnerHost } from "../testing/fake-runner-host.ts";
import { runnerSettings } from "../testing/runner-settings.ts";
import { createPodsOpener } from "./open-pods.ts";
import type { RunnerSettings } from "./runner-settings.ts";

const settings: RunnerSettings = { ...runnerSettings, most: 2 };
const kubeconfig = `{apiVersion: v1, kind: Config, current-context: c, contexts: [{name: c, context: {cluster: c, user: u}}],
clusters: [{name: c, cluster: {server: "https://10.0.0.1:6443"}}], users: [{name: u, user: {token: canary-token-1234}}]}`;
const tools = "/usr/bin/ansible-playbook\n/usr/bin/kubectl\n";

async function open(host: FakeRunnerHost) {
  host.program = { exitCode: 0, prints: tools };
  const pods = createPodsOpener({ connect: async () => host, settings, log: silentLogger });
  const sandbox = await openSandbox({ name: "pods", searchPath: "", log: silentLogger, pods });
  if (sandbox.kind !== "pods") throw new TypeError(sandbox.kind);
  return sandbox;
}

/** A run that is under way, and its pod. */
async function begun(host: FakeRunnerHost, timeoutMs = 60_000) {
  const sandbox = await open(host);
  host.program = undefined;
  await expect.poll(() => sandbox.runners.counts.waiting).toBe(1);
  const [pod = ""] = host.pods.keys();
  const run = runConfined({ sandbox, kubeconfig, argv: ["true"], files: {}, timeoutMs });
  run.catch(() => undefined);
  await expect.poll(() => sandbox.runners.counts.taken).toBe(1);
  await new Promise((soon) => setTimeout(soon, 20));
  return { sandbox, pod, run };
}

test("a run has its exit code and output, without the secrets of its kubeconfig, and its pod is gone", async () => {
  const host = fakeRunnerHost();
  const sandbox = await open(host);
  await using _runners = sandbox.runners;
  host.program = { exitCode: 3, prints: "with canary-token-1234 in it" };
  const end = await runConfined({ sandbox, kubeconfig, argv: ["true"], files: {}, timeoutMs: 60_000 });
  expect(end).toMatchObject({ how: "exited", exitCode: 3, output: "with [secret] in it" });
  expect(sandbox.runners.counts.taken).toBe(0);
});

test("the image's tools are found out by a run, and an image without them is refused", async () => {
  const host = fakeRunnerHost();
  const sandbox = await open(host);
  expect(sandbox.tools.kubectl?.path).toBe("/usr/bin/kubectl");
  await sandbox.runners[Symbol.asyncDispose]();
  expect(host.pods.size).toBe(0);
  host.program = { exitCode: 1, prints: "" };
  const pods = createPodsOpener({ connect: async () => host, settings, log: silentLogger });
  await expect(openSandbox({ name: "pods", searchPath: "", log: silentLogger, pods })).rejects.toMatchObject({
    code: "sandbox-unavailable",
    message: expect.stringMatching(/ansible-playbook and kubectl/),
  });
  expect(host.pods.size).toBe(0);
});

test("a run that used more than it may is charged with it", async () => {
  const host = fakeRunnerHost();
  const { sandbox, pod, run } = await begun(host);
  await using _runners = sandbox.runners;
  host.lose(pod, {
    phase: "Running",
    containerStatuses: [{ name: "run", state: { terminated: { reason: "OOMKilled" } } }],
  });
  expect(await run).toMatchObject({ how: "exhausted", exitCode: null });
});

test.each([
  ["is gone", null],
  ["has been evicted by its node", evicted()],
])("a run whose pod %s is no fault of what ran", async (_how, status) => {
  const host = fakeRunnerHost();
  const { sandbox, pod, run } = await begun(host);
  await using _runners = sandbox.runners;
  host.lose(pod, status);
  await expect(run).rejects.toMatchObject({ code: "sandbox-unavailable", severity: "terminal" });
  expect(host.pods.has(pod)).toBe(false);
});

function evicted() {
  const conditions = [{ type: "DisruptionTarget", status: "True" }];
  return { phase: "Failed", reason: "Evicted", conditions, containerStatuses: [] };
}

test("a run without an end is ended at its deadline, and one that is given up at once", async () => {
  const host = fakeRunnerHost();
  const { sandbox, pod, run } = await begun(host, 300);
  await using _runners = sandbox.runners;
  expect(await run).toMatchObject({ how: "timed-out", exitCode: null });
  expect(host.pods.has(pod)).toBe(false);
  const signal = AbortSignal.timeout(100);
  const given = runConfined({ sandbox, kubeconfig, argv: ["true"], files: {}, timeoutMs: 60_000, signal });
  await expect(given).rejects.toThrow(/timeout/);
  await expect.poll(() => sandbox.runners.counts.taken).toBe(0);
});

test("a flood is stopped", async () => {
  const host = fakeRunnerHost();
  const sandbox = await open(host);
  await using _runners = sandbox.runners;
  host.program = { exitCode: 0, prints: "x".repeat(65 * 2 ** 20) };
  const end = await runConfined({ sandbox, kubeconfig, argv: ["true"], files: {}, timeoutMs: 60_000 });
  expect(end.how).toBe("flooded");
  expect(end.output.length).toBeLessThan(200_000);
});
