import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectNatsBus } from "@microremed/bus/nats";
import { streams, subjects } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import { startNatsServer, startRedisServer } from "@microremed/servers";
import { execa } from "execa";
import { expect, test } from "vitest";

const log = silentLogger;

async function temporary(stack: AsyncDisposableStack): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "microremed-backup-"));
  stack.defer(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

test("Redis comes back from a copy of its append-only files that was made while it ran", async () => {
  await using stack = new AsyncDisposableStack();
  const [live, copy] = [await temporary(stack), await temporary(stack)];
  const ask = (port: number, ...words: string[]) =>
    execa("redis-cli", ["-p", String(port), ...words], { timeout: 10_000 }).then(({ stdout }) => stdout);
  {
    await using server = await startRedisServer({ dir: live });
    await ask(server.port, "SET", "microremed:experiment:e", "kept");
    // What is answered is in the file; it reaches the disk within a second.
    expect(await ask(server.port, "INFO", "persistence")).toContain("aof_rewrite_in_progress:0");
    await cp(join(live, "appendonlydir"), join(copy, "appendonlydir"), { recursive: true });
    await ask(server.port, "SET", "microremed:experiment:e", "changed after the backup");
  }
  await using restored = await startRedisServer({ dir: copy });
  expect(await ask(restored.port, "GET", "microremed:experiment:e")).toBe("kept");
});

test("JetStream comes back from a copy of its directory: streams, messages and what was not settled", async () => {
  await using stack = new AsyncDisposableStack();
  const [live, copy] = [await temporary(stack), await temporary(stack)];
  {
    await using server = await startNatsServer({ dir: live });
    await using bus = await connectNatsBus({ servers: server.url, name: "t", log });
    await bus.ensureStreams();
    await bus.publish(subjects.cancel, { experimentId: "exp-1" }, { msgId: "one" });
  }
  await cp(join(live, "jetstream"), join(copy, "jetstream"), { recursive: true });
  await using server = await startNatsServer({ dir: copy });
  await using bus = await connectNatsBus({ servers: server.url, name: "t", log });
  const queues = await bus.queues();
  expect(queues.map(({ stream }) => stream).sort()).toEqual(
    Object.values(streams)
      .map(({ name }) => name)
      .sort(),
  );
  expect(queues.find(({ stream }) => stream === streams.experiments.name)?.messages).toBe(1);
});
