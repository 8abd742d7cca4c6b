import { kinds } from "@microremed/cluster";
import { startSimCluster } from "@microremed/simcluster";
import { expect, test } from "vitest";
import { connectTo } from "./testing/connect-to.ts";

const configMap = (namespace: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "mine", namespace },
});
const forbidden = { code: "cluster-refused", details: { status: 403 } };

test("an agent may do everything in its arena and nothing elsewhere; a probe may only look", async () => {
  await using stack = new AsyncDisposableStack();
  const sim = stack.use(await startSimCluster({ name: "sim", seed: 1, timeScale: 1, environments: [] }));
  const harness = await connectTo(stack, sim.kubeconfig, sim.clockUrl);
  for (const name of ["arena", "other"]) {
    await harness.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }
  const text = await harness.agentKubeconfig("arena", { readOnly: false });
  expect(await harness.agentKubeconfig("arena", { readOnly: false })).toBe(text);
  const agent = await connectTo(stack, text);
  const probe = await connectTo(stack, await harness.agentKubeconfig("arena", { readOnly: true }));

  await agent.create(configMap("arena"));
  expect(await probe.get(kinds.configMap, "arena", "mine")).toBeDefined();
  await expect(agent.create(configMap("other"))).rejects.toMatchObject(forbidden);
  await expect(agent.list(kinds.secret, { namespace: "microremed" })).rejects.toMatchObject(forbidden);
  await expect(agent.list(kinds.role, { namespace: "arena" })).rejects.toMatchObject(forbidden);
  await expect(agent.podMetrics("other")).rejects.toMatchObject(forbidden);
  expect(await agent.list(kinds.namespace, {})).not.toHaveLength(0);
  await expect(probe.delete(kinds.configMap, "arena", "mine")).rejects.toMatchObject(forbidden);
  await expect(probe.list(kinds.secret, { namespace: "arena" })).rejects.toMatchObject(forbidden);
});

test("an arena that was deleted and made again gives its agent credentials that work", async () => {
  await using stack = new AsyncDisposableStack();
  const sim = stack.use(await startSimCluster({ name: "sim", seed: 1, timeScale: 1, environments: [] }));
  const harness = await connectTo(stack, sim.kubeconfig, sim.clockUrl);
  const arena = { apiVersion: "v1", kind: "Namespace", metadata: { name: "arena" } };
  await harness.apply(arena);
  await harness.agentKubeconfig("arena", { readOnly: false });
  await harness.delete(kinds.namespace, undefined, "arena");
  await expect.poll(() => harness.get(kinds.namespace, undefined, "arena")).toBeUndefined();
  await harness.apply(arena);
  const agent = await connectTo(stack, await harness.agentKubeconfig("arena", { readOnly: false }));
  await agent.create(configMap("arena"));
});

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
