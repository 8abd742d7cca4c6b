import { kinds } from "@microremed/cluster";
import { silentLogger } from "@microremed/core";
import { startSimCluster } from "@microremed/simcluster";
import { expect, test } from "vitest";
import { createHostedClusters } from "./hosted-clusters.ts";

const namespace = "shop";

test("services of one process call its clusters, and give programs kubeconfigs of the same API server", async () => {
  await using one = await startSimCluster({
    name: "one",
    seed: 1,
    timeScale: 60,
    environments: [],
    log: silentLogger,
  });
  const clusters = createHostedClusters([one], { former: ["zero"], forPrograms: false });
  expect(clusters).toMatchObject({ names: ["one"], left: ["zero"] });
  const cluster = await clusters.get("one");
  await cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  expect((await cluster.get(kinds.namespace, undefined, namespace))?.metadata.name).toBe(namespace);
  const [{ cluster: reached }] = JSON.parse(
    await cluster.agentKubeconfig(namespace, { readOnly: true }),
  ).clusters;
  expect(reached.server).toBe(one.url);
  expect(Buffer.from(reached["certificate-authority-data"], "base64").toString()).toBe(one.caPem);

  const former = clusters.get("zero");
  await expect(former).rejects.toMatchObject({ code: "cluster-unreachable", severity: "terminal" });
  await expect(clusters.get("two")).rejects.toMatchObject({ code: "unknown-cluster" });
});

test("time goes by the wall clock while a program runs, and as fast as it can be computed while a service waits", async () => {
  // So slow that it comes to no end by the wall clock.
  await using one = await startSimCluster({
    name: "one",
    seed: 1,
    timeScale: 1,
    environments: [],
    log: silentLogger,
  });
  const open = (forPrograms: boolean) => createHostedClusters([one], { former: [], forPrograms }).get("one");
  const [service, executor] = [await open(false), await open(true)];
  const hour = 3_600_000;
  const before = one.loop.now();
  {
    await using _hold = await service.clock.hold();
    await service.clock.sleep(hour);
  }
  expect(one.loop.now() - before).toBeGreaterThanOrEqual(hour);

  const holding = await executor.clock.hold();
  expect(one.loop.holders).toBe(1);
  const sleeping = service.clock.sleep(hour);
  const others = Promise.race([sleeping, new Promise((resolve) => setTimeout(resolve, 200, "waits"))]);
  expect(await others).toBe("waits");
  await holding[Symbol.asyncDispose]();
  await sleeping;
});
