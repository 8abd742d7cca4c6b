import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { connectNatsBus } from "@microremed/bus/nats";
import { silentLogger as log } from "@microremed/core";
import { type Stack, startStack } from "@microremed/stack";
import { connectRedisState } from "@microremed/state/redis";
import { untilFinished } from "../../libs/ops/disruption/src/index.ts";
import type { Benchmark } from "./benchmark.ts";
import { checkAccepted } from "./run-experiment.ts";

const episodes = 100;
const timeoutMs = 1_800_000;

/** What is kept at one moment, in bytes. */
interface Kept {
  /** Of keys and values, as Redis counts them. */
  readonly redisMemory: number;
  /** Of its append-only file, never rewritten so far. */
  readonly redisFile: number;
  readonly jetstream: number;
}

export const storage: Benchmark = {
  name: "storage",
  description: `what ${episodes} real episodes (simple-micro, reference/runbook, ThinkRemed) leave in Redis and JetStream`,
  run: async () => {
    await using stack = await startStack({
      clusters: { environments: ["simple-micro"], count: 4, timeScale: 200, seed: 1 },
      log,
    });
    await using state = await connectRedisState({ url: redisUrlOf(stack), log });
    await using bus = await connectNatsBus({
      servers: stack.natsUrl,
      user: stack.natsUser,
      password: stack.natsPassword,
      name: "bench",
      log,
    });
    const kept = (): Kept => ({
      redisMemory: redisMemory(stack),
      redisFile: bytesOf(join(stack.dir, "redis/appendonlydir")),
      jetstream: bytesOf(join(stack.dir, "nats/jetstream")),
    });
    const run = async (id: string, random: number): Promise<void> => {
      const request = { id, environment: "simple-micro", model: "reference/runbook", failures: { random } };
      checkAccepted(await bus.submit(request, { timeoutMs }));
      await untilFinished(state, id, timeoutMs);
    };
    // Arenas, consumers and the like are there from now on.
    await run("first", 4);
    const before = kept();
    await run("measured", episodes);
    const after = kept();
    const row = (what: string, key: keyof Kept) => ({
      what,
      value: (after[key] - before[key]) / episodes / 1024,
      unit: "KiB an episode",
    });
    return [
      row("Redis, memory", "redisMemory"),
      row("Redis, append-only file", "redisFile"),
      row("JetStream, files", "jetstream"),
    ];
  },
};

function redisUrlOf({ redisUrl, redisPasswords }: Stack): string {
  const url = new URL(redisUrl);
  url.username = "admin";
  url.password = redisPasswords.admin;
  return url.href;
}

function redisMemory(stack: Stack): number {
  const args = ["-u", redisUrlOf(stack), "--no-auth-warning", "info", "memory"];
  const said = execFileSync("redis-cli", args, { timeout: 10_000, encoding: "utf8" });
  return Number(/used_memory_dataset:(\d+)/.exec(said)?.[1]);
}

function bytesOf(directory: string): number {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true });
  return files.reduce(
    (sum, file) => (file.isFile() ? sum + statSync(join(file.parentPath, file.name)).size : sum),
    0,
  );
}
