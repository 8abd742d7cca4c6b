import { type Cluster, kinds } from "@microremed/cluster";
import { startSimCluster } from "@microremed/simcluster";
import { expect, test } from "vitest";
import { connectTo } from "./testing/connect-to.ts";

test("the agent's token does not reach the clock", async () => {
  await using stack = new AsyncDisposableStack();
  const sim = stack.use(await startSimCluster({ name: "sim", seed: 1, timeScale: 1, environments: [] }));
  const harness = await connectTo(stack, sim.kubeconfig, sim.clockUrl);
  await harness.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "arena" } });
  const text = await harness.agentKubeconfig("arena", { readOnly: false });
  const agent = await connectTo(stack, text, sim.clockUrl);
  await expect(agent.clock.now()).rejects.toMatchObject({ code: "cluster-refused" });
});

test("who has no right to read several objects at once reads them one by one, with no other rights", async () => {
  await using stack = new AsyncDisposableStack();
  const sim = stack.use(await startSimCluster({ name: "sim", seed: 1, timeScale: 1, environments: [] }));
  const harness = await connectTo(stack, sim.kubeconfig, sim.clockUrl);
  for (const name of ["arena", "other"])
    await harness.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  const text = await harness.agentKubeconfig("arena", { readOnly: false });
  const agent = await connectTo(stack, text, sim.clockUrl);
  const read = (cluster: Cluster) =>
    Promise.allSettled(["arena", "other"].map((namespace) => cluster.list(kinds.configMap, { namespace })));
  for (let times = 0; times < 2; times++)
    expect(await read(agent)).toMatchObject([
      { value: [{ metadata: { name: "kube-root-ca.crt" } }] },
      { reason: { code: "cluster-refused", details: { status: 403 } } },
    ]);
  const own = { value: [{ metadata: { name: "kube-root-ca.crt" } }] };
  expect(await read(harness)).toMatchObject([own, own]);
});

test("cluster time runs at the scale while it is held and while it is slept", async () => {
  await using stack = new AsyncDisposableStack();
  const sim = stack.use(await startSimCluster({ name: "sim", seed: 1, timeScale: 100, environments: [] }));
  const { clock } = await connectTo(stack, sim.kubeconfig, sim.clockUrl);
  const before = await clock.now();
  await clock.sleep(60_000);
  expect((await clock.now()) - before).toBeGreaterThanOrEqual(60_000);
  {
    await using _hold = await clock.hold();
    const held = await clock.now();
    await expect.poll(async () => (await clock.now()) - held).toBeGreaterThan(10_000);
  }
});
