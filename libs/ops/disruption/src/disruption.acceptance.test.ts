import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connectNatsBus } from "@microremed/bus/nats";
import { silentLogger as log } from "@microremed/core";
import { connectRedisState } from "@microremed/state/redis";
import { expect, test } from "vitest";
import { readLedger, wrongEffects } from "./ledger.ts";
import { untilFinished } from "./outcomes.ts";
import { runDisruption } from "./run-disruption.ts";
import { startStubStack } from "./stub-stack.ts";

const shares = { pause: 0.12, crash: 0.15, link: 0.2, disk: 0, cluster: 0 };
const common = { seed: 7, replicas: 2, shares, clockJumps: true, timeoutMs: 240_000, log };

test("services killed and paused, NATS and Redis crashed, links cut, clocks wrong: every episode ends once, as it would have anyway", async () => {
  const report = await runDisruption({
    ...common,
    stages: "stub",
    episodes: 40,
    experiments: [
      { model: "reference/runbook", maxParallel: 64 },
      { model: "reference/noop", seed: 2, maxParallel: 64 },
    ],
    clusters: 4,
    everyMs: 900,
    longestPauseMs: 18_000,
    atLeast: { attacks: 12, crashes: 1 },
  });
  expect(report.wrong).toEqual([]);
  expect(report.damage.killed).toBeGreaterThan(0);
  expect(report.damage.linksCut + report.damage.linksSlowed).toBeGreaterThan(0);
}, 400_000);

test("the same with real playbooks on embedded clusters, which are left as they were", async () => {
  const report = await runDisruption({
    ...common,
    stages: "real",
    episodes: 2,
    experiments: [
      { model: "reference/runbook", method: "SoloGen" },
      { model: "reference/noop", method: "SoloGen" },
      // Services also die between the windows of a watch. At 200 times the wall clock a window of a minute would be over
      // before a fault could be proven in it.
      { model: "none", method: "AlwaysNo", task: "monitoring", watch: { windows: 4, windowSeconds: 600 } },
    ],
    clusters: 2,
    everyMs: 3_000,
    longestPauseMs: 5_000,
    atLeast: { attacks: 3, crashes: 0 },
  });
  expect(report.wrong).toEqual([]);
}, 400_000);

test("a process that was paused while its work was given to another changes nothing when it wakes", async () => {
  const dir = await mkdtemp(join(tmpdir(), "microremed-fence-"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  const ledger = join(dir, "effects.ndjson");
  // Stages of two seconds, so that the pause hits work in progress.
  const options = { dir, ledger, steps: 130, clusters: 1, schedulers: 1, stages: 2, log };
  const stack = cleanup.use(await startStubStack(options));
  const { natsUrl: servers, natsUser: user, natsPassword: password } = stack;
  const state = cleanup.use(await connectRedisState({ url: stack.redisUrl, log }));
  const bus = cleanup.use(await connectNatsBus({ servers, user, password, name: "test", log }));
  const failures = { random: 8 };
  await bus.submit({ id: "paused", environment: "simple-micro", model: "reference/noop", failures });

  const victim = stack.services.find(({ name }) => name.startsWith("injector"))?.pid ?? 0;
  const at = (lines: readonly { work: string }[]) =>
    lines.filter(({ work }) => work.startsWith(`${victim}/`));
  await expect.poll(async () => at(await readLedger(ledger)).length).toBeGreaterThan(20);
  process.kill(victim, "SIGSTOP");
  const before = await readLedger(ledger);
  const interrupted = new Set(at(before).map(({ work }) => work));
  await delay(32_000);
  process.kill(victim, "SIGCONT");

  const episodes = await untilFinished(state, "paused", 120_000);
  expect(episodes.map(({ error }) => error)).toEqual(Array(8).fill(null));
  const effects = await readLedger(ledger);
  expect(wrongEffects(effects)).toEqual([]);
  const after = effects.slice(before.length);
  const keys = new Set(before.filter(({ work }) => interrupted.has(work)).map(({ key }) => key));
  expect(after.filter(({ key, work }) => keys.has(key) && !interrupted.has(work)).length).toBeGreaterThan(0);
}, 240_000);
