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
