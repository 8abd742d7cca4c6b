import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createDaemons } from "./daemons.ts";

const env = { PATH: process.env["PATH"] };

async function daemonsIn() {
  const dir = await mkdtemp(join(tmpdir(), "daemons-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return { daemons: createDaemons("node-1", dir), dir };
}

test("a daemon that ends later is named, with the end of its log", async () => {
  const { daemons, dir } = await daemonsIn();
  await daemons.start("kubelet", ["sh", "-c", "echo $$ >pid; exec sleep 600"], env);
  await daemons.start("kube-proxy", ["sh", "-c", "echo no table >&2; exit 3"], env);
  await expect
    .poll(() => daemons.ended())
    .toMatch(/^kube-proxy on node-1 has ended \(exit code 3\).*\nno table$/);
  await expect.poll(() => readFile(join(dir, "pid"), "utf8").catch(() => "")).toMatch(/^\d+\n$/);
  process.kill(Number(await readFile(join(dir, "pid"), "utf8")), "SIGKILL");
  await expect.poll(() => daemons.ended()).toContain("kubelet on node-1 has ended (SIGKILL)");
});

test("a daemon that cannot be started has ended too", async () => {
  const { daemons } = await daemonsIn();
  expect(await daemons.ended()).toBeUndefined();
  await daemons.start("etcd", ["/nosuch/etcd"], env);
  await expect.poll(() => daemons.ended()).toContain("etcd on node-1 has ended (Command failed with ENOENT");
});
