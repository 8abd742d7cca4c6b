import { setTimeout as delay } from "node:timers/promises";
import { connectNatsBus } from "@microremed/bus/nats";
import { type Cluster, kinds } from "@microremed/cluster";
import { openClusters } from "@microremed/cluster/kubeconfig";
import { silentLogger } from "@microremed/core";
import { createRangeClient } from "@microremed/range-client";
import { connectRedisState } from "@microremed/state/redis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { letIdle } from "./in-process/testing/idle-sessions.ts";
import { anOutsideAgent, type Given } from "./in-process/testing/outside-agent.ts";
import type { Stack } from "./stack.types.ts";
import { startStack } from "./start-stack.ts";

const started = new AsyncDisposableStack();
let stack: Stack;
const idleSeconds = "SESSION_IDLE_SECONDS";
beforeAll(async () => {
  process.env[idleSeconds] = "1";
  started.defer(() => {
    delete process.env[idleSeconds];
  });
  stack = started.use(
    await startStack({
      clusters: { environments: ["simple-micro"], count: 1, timeScale: 60, seed: 1 },
      gatewayPorts: [0, 0],
      replicas: { remediator: 2 },
      log: silentLogger,
    }),
  );
});
afterAll(() => started.disposeAsync());

const namespace = "simple-micro";
const configMap = { apiVersion: "v1", kind: "ConfigMap" } as const;

/** Whether the arena has a ConfigMap of this name. */
async function isThere(cluster: Pick<Cluster, "list">, name: string): Promise<boolean> {
  const found = await cluster.list(kinds.configMap, { namespace });
  return found.some(({ metadata }) => metadata.name === name);
}

/** Ends processes as an outage would; they are started again. */
function kill(...names: readonly string[]): void {
  for (const { name, pid } of stack.services) if (names.includes(name) && pid) process.kill(pid, "SIGKILL");
}

test("gateways and remediators are killed at any moment: the session goes on, and no act happens twice", async () => {
  const { redisUrl: url, natsUrl: servers, natsPasswords, gateways } = stack;
  await using state = await connectRedisState({ url, log: silentLogger });
  const login = { servers, user: "client", password: natsPasswords.client, name: "test" };
  await using client = createRangeClient(await connectNatsBus({ ...login, log: silentLogger }));
  const agent = await anOutsideAgent(state.tokens, gateways);
  const session = await agent.open({ problem: "microremed@1/simple-micro-easy-01", reveal: "outcome" });
  const experiment = String((await agent.ask(`/sessions/${session}`)).body["experiment"]);
  const given = await agent.next(session);
  const victims = [
    ["gateway-1"],
    ["gateway-2"],
    ["remediator-1"],
    ["gateway-1", "gateway-2"],
    ["remediator-2"],
    ["gateway-1", "remediator-1", "remediator-2"],
  ];
  const answers: unknown[] = [];
  const commands = victims.map(
    (_, index) =>
      `kubectl create configmap made-${index} --from-literal=a=${index}; until kubectl get configmap go-${index} -o name; do sleep 1; done 2>/dev/null`,
  );
  await using clusters = await openClusters(stack.clustersFile, { log: silentLogger });
  const cluster = await clusters.get(stack.clusters[0] ?? "");
  for (const [index, names] of victims.entries()) {
    const calling = agent.call(session, given, "exec_shell", { command: commands[index] });
    // Some die before the executor has it, the others in the middle: it has made one half of it and waits for the other.
    if (index % 2 === 0) await delay(index * 30);
    else await expect.poll(() => isThere(cluster, `made-${index}`)).toBe(true);
    kill(...names);
    await cluster.apply({ ...configMap, metadata: { name: `go-${index}`, namespace } });
    answers.push((await calling)["text"]);
    expect(await agent.next(session)).toMatchObject({ problem: given.problem, calls: index + 1 });
  }
  expect(answers).toEqual(
    victims.map((_, index) => `exit code 0\nconfigmap/made-${index} created\nconfigmap/go-${index}`),
  );
  const made = victims.map((_, index) => `made-${index} go-${index}`).join(" ");
  const cleanUp = `kubectl delete stresschaos --all; kubectl delete configmap ${made}`;
  await agent.call(session, given, "exec_shell", { command: cleanUp });
  expect(await agent.call(session, given, "submit")).toMatchObject({ status: "ended" });
  expect(await agent.next(session)).toMatchObject({ status: "done", previous: { outcome: "remediated" } });
  const [record] = (await client.experiment(experiment)).episodes;
  const acts = record?.steps.filter((step) => step.kind === "act") ?? [];
  expect(acts.map(({ arguments: { command } }) => command)).toEqual([...commands, cleanUp]);
  expect(record).toMatchObject({ trial: 1, outcome: "remediated" });
});

test("gateways and remediators are killed at next and at submit: problems, answers and results come once, and none is lost", async () => {
  const { redisUrl: url, natsUrl: servers, natsPasswords, gateways } = stack;
  await using state = await connectRedisState({ url, log: silentLogger });
  const login = { servers, user: "client", password: natsPasswords.client, name: "test" };
  await using client = createRangeClient(await connectNatsBus({ ...login, log: silentLogger }));
  const agent = await anOutsideAgent(state.tokens, gateways);
  const victims = [
    ["gateway-1"],
    ["gateway-1", "gateway-2"],
    ["gateway-2", "remediator-1"],
    ["gateway-1", "gateway-2", "remediator-1", "remediator-2"],
  ];
  const problem = "range@1/simple-micro-pod-config-error-hello-service-detection";
  const session = await agent.open({ problem, repeats: victims.length, reveal: "outcome" });
  const experiment = String((await agent.ask(`/sessions/${session}`)).body["experiment"]);
  const spent = { promptTokens: 10, completionTokens: 1, cost: 0.5 };
  const solved = { outcome: "solved", reason: "it was submitted" };
  const given: Given[] = [];
  for (const [index, names] of victims.entries()) {
    const asking = agent.next(session);
    await delay(index * 30);
    kill(...names);
    const next = await asking;
    // Also what came of the problem before.
    expect(await agent.next(session)).toEqual(next);
    const before = given.at(-1);
    if (before) expect(next.previous).toEqual({ problem: before.problem, ...solved });
    given.push(next);
    const path = `/sessions/${session}/problems/${next.problem}/calls`;
    const body = { id: `end-${index}`, tool: "submit", arguments: { anomaly: true }, spent };
    const submitting = agent.ask(path, body);
    await delay(index * 30);
    kill(...names);
    const first = (await submitting).body;
    const { status } = first.status === "pending" ? (await agent.ask(path, body)).body : first;
    expect(status).toBe("ended");
  }
  expect(new Set(given.map((one) => one.problem)).size).toBe(victims.length);
  const previous = { problem: given.at(-1)?.problem, ...solved };
  const end = { status: "done", episodes: victims.length, done: victims.length, previous };
  expect(await agent.next(session)).toEqual(end);
  expect(await agent.next(session)).toEqual(end);
  const { episodes } = await client.experiment(experiment);
  for (const { steps, outcome, trial } of episodes) {
    const ends = steps.filter((step) => step.kind === "submit");
    expect([outcome, trial, ends.length]).toEqual(["solved", 1, 1]);
    expect(ends[0]?.turn.usage).toMatchObject({ calls: 1, ...spent });
  }
});

test("idle sessions of one token give the only arena to another one, which gets its problem", async () => {
  const { redisUrl: url, natsUrl: servers, natsPasswords, gateways } = stack;
  await using state = await connectRedisState({ url, log: silentLogger });
  const login = { servers, user: "client", password: natsPasswords.client, name: "test" };
  await using client = createRangeClient(await connectNatsBus({ ...login, log: silentLogger }));
  const idle = await anOutsideAgent(state.tokens, gateways);
  const honest = await anOutsideAgent(state.tokens, gateways);
  const tried = { client, arenas: state.arenas, arenaCount: 1 };
  const { length: before } = await state.sessions.list(undefined);
  await letIdle(tried, { idle, honest, beat: false });
  // That of the agent which got its problem is still open.
  expect(await state.sessions.list(undefined)).toHaveLength(before + 1);
});
