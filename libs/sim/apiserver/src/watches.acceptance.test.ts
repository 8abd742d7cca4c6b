import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { startTestApi } from "./testing/test-api.ts";

const maps = { group: "", resource: "configmaps" };
const wanted = 10_000;
/** Files of its own that a process has open besides. */
const spare = 500;

function openFiles(): number {
  const report = process.report.getReport() as {
    userLimits?: { open_files?: { hard: number | "unlimited" } };
  };
  const hard = report.userLimits?.open_files?.hard ?? "unlimited";
  return hard === "unlimited" ? Number.POSITIVE_INFINITY : hard;
}

const say = async (crowd: ChildProcess, message: string): Promise<void> => {
  crowd.send(message);
  await once(crowd, "message");
};

/** With fewer open files than ten thousand connections need, as many as they allow. */
const count = Math.min(wanted, openFiles() - spare);

test(`serves ${count} watches on as many connections, and frees them however they end`, {
  timeout: 280_000,
}, async () => {
  await using cluster = await startTestApi();
  const own = cluster.watchers();
  const crowd = fork(new URL("./testing/watch-crowd.ts", import.meta.url), [
    cluster.api.url,
    cluster.api.caPem,
    cluster.api.adminToken,
    String(count),
  ]);
  try {
    await once(crowd, "message");
    expect(cluster.watchers()).toBe(own + count);
    const heard = once(crowd, "message");
    cluster.store.create(maps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "fanned-out", namespace: "default" },
    });
    const { code } = await cluster.run("kubectl", ["get", "configmaps"]);
    expect(code).toBe(0);
    await heard;
    await say(crowd, "leave");
    await expect.poll(() => cluster.watchers()).toBe(own);
    expect((await cluster.run("kubectl", ["get", "configmaps"])).stdout).toContain("fanned-out");
  } finally {
    crowd.kill();
  }
});
