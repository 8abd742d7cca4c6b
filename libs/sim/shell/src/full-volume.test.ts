import { FileTree } from "@microremed/sim-machine";
import { expect, test } from "vitest";
import { createShell, gnu } from "./testing/create-shell.ts";

const size = 100 << 20;

/** A Redis with an append-only file on a volume of 100 MiB at /data. */
function withVolume() {
  const shell = createShell((container) => {
    const { behaviour } = gnu(container);
    return {
      command: ["redis-server", "--appendonly", "yes", "--dir", "/data"],
      mounts: new Map([["/data", "data"]]),
      ...(behaviour && {
        behaviour: { ...behaviour, runtime: "redis", tools: [...behaviour.tools, "redis-cli"] },
      }),
    };
  });
  const volume = new FileTree();
  volume.capacity = size;
  shell.sandbox.volumes.set("data", volume);
  const sh = async (script: string) => {
    const { out, err } = await shell.run(["sh", "-c", script]);
    return `${out}${err}`;
  };
  return { ...shell, volume, sh };
}

test("a volume takes no more than its size, df shows it, and a removed or emptied file makes room", async () => {
  const { sh, volume } = withVolume();
  expect(await sh("df /data | tail -n 1")).toMatch(/^\/dev\/vdb +102400 +0 +102400 +0% \/data$/m);
  expect(await sh("dd if=/dev/zero of=/data/big bs=1M count=200")).toContain(
    "dd: error writing '/data/big': No space left on device",
  );
  expect(volume.bytes).toBe(size);
  expect(await sh("ls -l /data/big; df -h /data | tail -n 1")).toMatch(
    /104857600 .*\/dev\/vdb +100M +100M +0 100% \/data/s,
  );
  expect(await sh("cat /etc/hosts > /data/hosts")).toContain("No space left on device");
  expect(await sh("mv /data/big /data/old && cp /data/old /tmp/copy && ls -l /data/old /tmp/copy")).toMatch(
    /104857600.*104857600/s,
  );
  expect(await sh(": > /data/old; df /data | tail -n 1")).toContain(" 0% /data");
  expect(await sh("dd if=/dev/zero of=/data/some bs=1M count=30; rm /data/some; df -h | tail -n 1")).toMatch(
    / 100M +0 +100M +0% \/data.*30\+0 records out/s,
  );
});

test("a Redis that cannot write to its append-only file takes no writes, answers reads, and starts no better", async () => {
  const { sh, container, volume } = withVolume();
  const words = "MISCONF Errors writing to the AOF file: No space left on device";
  expect(await sh("redis-cli set cart 1")).toBe("OK\n");
  const before = volume.bytes;
  expect(before).toBeGreaterThan(0);
  await sh("dd if=/dev/zero of=/data/core.7 bs=1M count=100");
  for (const write of ["set cart 2", "del cart", "flushall", "ping"])
    expect(await sh(`redis-cli ${write}`)).toContain(words);
  expect(await sh("redis-cli get cart; redis-cli info persistence | grep aof_")).toMatch(
    /^1\naof_enabled:1\s+aof_last_write_status:err/,
  );
  container.datastore = undefined as never;
  expect(await sh("redis-cli get cart; redis-cli set cart 2")).toContain(`1\n${words}`);
  await sh("rm /data/core.7");
  expect(await sh("redis-cli set cart 2; redis-cli get cart")).toBe("OK\n2\n");
  expect(volume.bytes).toBeGreaterThan(before);
});
