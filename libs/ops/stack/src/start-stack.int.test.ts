import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@microremed/core";
import { expect, test, vi } from "vitest";
import { startStack } from "./start-stack.ts";

/** Command lines of the processes of this machine that hold the text. */
async function processesWith(text: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  return lines.filter((line) => line.includes(text));
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("starts servers, clusters and services, and leaves nothing behind", async () => {
  const stack = await startStack({
    clusters: { environments: ["simple-micro"], count: 2, hosts: 2, timeScale: 20, seed: 1 },
    replicas: { executor: 2 },
    log: silentLogger,
  });
  const pids = stack.services.map(({ pid }) => pid ?? 0);
  try {
    expect(stack.clusters).toEqual(["embedded-1", "embedded-2"]);
    expect(stack.services.map(({ name }) => name)).toEqual([
      "injector-1",
      "verifier-1",
      "injector-2",
      "verifier-2",
      "executor-1",
      "executor-2",
      "remediator",
      "scheduler",
    ]);
    const pidsOf = (part: string) =>
      stack.services.flatMap(({ name, pid }) => (name.startsWith(part) ? [pid] : []));
    const hosts = [...stack.clusterPids.values()];
    expect(pidsOf("injector")).toEqual(hosts);
    expect(pidsOf("verifier")).toEqual(hosts);
    expect(hosts).not.toEqual(expect.arrayContaining(pidsOf("executor")));
    for (const { healthUrl } of stack.services) expect((await fetch(`${healthUrl}/readyz`)).status).toBe(200);

    const file = join(stack.dir, "stack.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({
      natsUrl: stack.natsUrl,
      natsPassword: stack.natsPassword,
    });
    const log = await readFile(stack.services[0]?.logFile ?? "", "utf8");
    for (const password of [stack.natsPasswords, stack.redisPasswords].flatMap(Object.values<string>)) {
      expect(await processesWith(password)).toEqual([]);
      expect(log).not.toContain(password);
    }
  } finally {
    await stack[Symbol.asyncDispose]();
  }
  expect(pids.filter(isAlive)).toEqual([]);
  // Its guards end by themselves when they find that they are no longer needed.
  await expect.poll(() => processesWith(stack.dir)).toEqual([]);
  await expect(stat(stack.dir)).rejects.toThrow(/ENOENT/);
});

test("names the service that does not start, with the end of its log, and cleans up", async () => {
  const temporary = await mkdtemp(join(tmpdir(), "microremed-test-"));
  vi.stubEnv("TMPDIR", temporary);
  try {
    const starting = startStack({ clusters: "/nowhere/clusters.yaml", log: silentLogger });
    await expect(starting).rejects.toThrow(/did not start \(exit code 2\)[\s\S]*\/nowhere\/clusters\.yaml/);
    expect((await readdir(temporary)).filter((name) => name.startsWith("microremed-"))).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
    await rm(temporary, { recursive: true });
  }
});

test("stops what it has started when it is aborted meanwhile", async () => {
  const clusters = { environments: ["simple-micro"], count: 2, timeScale: 1, seed: 1 };
  for (const afterMs of [10, 300, 900]) {
    const signal = AbortSignal.timeout(afterMs);
    const starting = startStack({ clusters, signal, log: silentLogger });
    await expect(starting).rejects.toThrow(/abort|timeout/i);
  }
});
