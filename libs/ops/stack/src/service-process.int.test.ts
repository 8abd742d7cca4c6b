import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import { type ServiceSpec, startService } from "./service-process.ts";

const READY = `import { createServer } from "node:http";
createServer((request, response) => response.end("ready")).listen(Number(process.env.HEALTH_PORT), "127.0.0.1");`;

async function service(source: string, readyWithinMs = 5000): Promise<ServiceSpec & AsyncDisposable> {
  const dir = await mkdtemp(join(tmpdir(), "microremed-test-"));
  const main = join(dir, "main.mjs");
  await writeFile(main, source);
  return {
    name: "executor-2",
    main,
    env: {},
    logFile: join(dir, "executor-2.log"),
    maxOldSpaceMiB: 64,
    readyWithinMs,
    log: silentLogger,
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true }),
  };
}

const alive = (pid: number | undefined): boolean => {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("starts a service, starts it again when it is killed, and stops it", async () => {
  await using spec = await service(READY);
  const started = await startService(spec);
  const first = started.pid;
  expect(alive(first)).toBe(true);
  process.kill(first ?? 0, "SIGKILL");
  await expect.poll(() => alive(started.pid) && started.pid !== first).toBe(true);
  expect(started.restarts).toBe(1);
  const second = started.pid;
  await started[Symbol.asyncDispose]();
  expect(alive(second)).toBe(false);
});

test("a service that ends at once is named with the end of its log", async () => {
  await using spec = await service('console.error("NATS_URL is missing"); process.exit(3);');
  await expect(startService(spec)).rejects.toMatchObject({
    code: "start-failed",
    message: expect.stringMatching(
      /service executor-2 did not start \(exit code 3\)[\s\S]*NATS_URL is missing/,
    ),
  });
});

test("a service that never becomes ready is named and stopped", async () => {
  await using spec = await service("console.log(process.pid); setInterval(() => {}, 1000);", 400);
  const error = await startService(spec).catch((thrown: Error) => thrown);
  expect(String(error)).toMatch(/executor-2 was not ready within [\d.]+ s/);
  const pid = /\n(\d+)$/.exec(String(error))?.[1];
  expect(alive(Number(pid))).toBe(false);
});
