import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import { startEmbeddedClusters } from "./embedded-clusters.ts";

test("clusters whose services do not start in the place of those that died make room for others", async () => {
  await using dir = await mkdtempDisposable(join(tmpdir(), "microremed-test-"));
  const own = { environmentsDir: undefined, catalogueDirs: [] };
  const options = { dir: dir.path, own, environments: [], count: 1, timeScale: 60, seed: 1 };
  await using clusters = await startEmbeddedClusters({ ...options, log: silentLogger });
  let times = 0;
  let restarts = 0;
  const services = () => {
    times++;
    // At the first start it is asked twice.
    if (times === 3) throw new Error("no services this time");
    return [];
  };
  await clusters.serve(services, () => restarts++);
  process.kill(clusters.pids.get("embedded-1") ?? Number.NaN, "SIGKILL");
  await expect.poll(() => clusters.names).toEqual(["embedded-1-3"]);
  await expect.poll(() => restarts).toBe(1);
});
