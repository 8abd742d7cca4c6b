import { terminal } from "@microremed/core";
import { fenceCluster } from "../../fence-cluster.ts";
import { kinds } from "../../kinds.ts";
import type { ClusterSuite } from "../test-cluster.ts";
import { aConfigMap, aWorkload, makeNamespace, namespace } from "./fixtures.ts";

/** Waiting, the clock, and writes of a process whose right may end. */
export function timeTests({ test, create }: ClusterSuite): void {
  test("the clock sleeps in cluster time", async ({ expect }) => {
    await using under = await create();
    const { clock } = under.cluster;
    const before = await clock.now();
    await clock.sleep(60_000);
    expect(await clock.now()).toBeGreaterThanOrEqual(before + 60_000);
  });

  test("a sleep ends with its signal", async ({ expect }) => {
    await using under = await create();
    const stop = new AbortController();
    const sleeping = under.cluster.clock.sleep(3_600_000, stop.signal);
    stop.abort(new Error("enough"));
    await expect(sleeping).rejects.toThrow();
  });

  test("waits until what happens meanwhile is seen, with what it is in between", async ({ expect }) => {
    await using under = await create();
    const { cluster } = under;
    await makeNamespace(cluster);
    const seen: string[] = [];
    const waiting = cluster.waitUntil(
      { what: "two colours", timeoutMs: 3_600_000, namespace, kinds: [kinds.configMap] },
      (view) => {
        const found = view.list(kinds.configMap).find(({ metadata }) => metadata.name === "a");
        const colour = (found?.["data"] as { colour?: string } | undefined)?.colour;
        if (colour !== undefined && seen.at(-1) !== colour) seen.push(colour);
        return colour === "green" ? colour : undefined;
      },
    );
    await cluster.clock.sleep(1000);
    await cluster.create(aConfigMap("a", { colour: "red" }));
    // A wait that first reads the cluster after the change has nothing between to see.
    for (let tried = 0; tried < 500 && seen.length === 0; tried++) await cluster.clock.sleep(1000);
    await cluster.apply(aConfigMap("a", { colour: "green" }));
    expect(await waiting).toBe("green");
    expect(seen).toEqual(["red", "green"]);
  });

  test("waits for one kind by another", async ({ expect }) => {
    await using under = await create();
    const { cluster } = under;
    await makeNamespace(cluster);
    await cluster.create(aWorkload("web", 2));
    const ready = await cluster.waitUntil(
      { what: "a ready workload", timeoutMs: 120_000, namespace, kinds: [kinds.deployment, kinds.pod] },
      (view) => {
        const [web] = view.list(kinds.deployment);
        // Each kind has a watch of its own: pods may be seen after the workload that counts them.
        const pods = view.list(kinds.pod).length;
        return web?.status?.readyReplicas === 2 && pods > 0 ? pods : undefined;
      },
    );
    expect(ready).toBe(2);
  });

  test("a wait that times out says what it waited for and what it saw, after its time of the cluster", async ({
    expect,
  }) => {
    await using under = await create();
    const { cluster } = under;
    await makeNamespace(cluster);
    const before = await cluster.clock.now();
    const wait = cluster.waitUntil(
      { what: "a miracle", timeoutMs: 30_000, namespace, kinds: [kinds.pod] },
      () => undefined,
      (view) => `${view.list(kinds.pod).length} pods`,
    );
    await expect(wait).rejects.toMatchObject({
      code: "deadline-exceeded",
      message: expect.stringMatching(/30 s of cluster time for a miracle; last seen: 0 pods/),
    });
    expect(await cluster.clock.now()).toBeGreaterThanOrEqual(before + 30_000);
  });

  test("what a wait looks for may throw", async ({ expect }) => {
    await using under = await create();
    await makeNamespace(under.cluster);
    const wait = under.cluster.waitUntil(
      { what: "nothing", timeoutMs: 30_000, namespace, kinds: [kinds.pod] },
      () => {
        throw new TypeError("wrong");
      },
    );
    await expect(wait).rejects.toThrow("wrong");
  });

  test("who lost the right to write reads only", async ({ expect }) => {
    await using under = await create();
    await makeNamespace(under.cluster);
    let held = true;
    const fenced = fenceCluster(under.cluster, async () => {
      if (!held) throw terminal("stale-lease", "the arena has a new lease");
    });
    await fenced.apply(aConfigMap("a", { colour: "red" }));
    held = false;
    const stale = { code: "stale-lease" };
    await expect(fenced.apply(aConfigMap("a", { colour: "green" }))).rejects.toMatchObject(stale);
    await expect(fenced.create(aConfigMap("b"))).rejects.toMatchObject(stale);
    await expect(fenced.delete(kinds.configMap, namespace, "a")).rejects.toMatchObject(stale);
    expect(await fenced.get(kinds.configMap, namespace, "a")).toMatchObject({ data: { colour: "red" } });
  });
}
