import type { ProxyRequest } from "@microremed/sim-machine";
import { resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { arena, deployedWorld, podsOf } from "./testing/deployed-world.ts";
import type { World } from "./world.ts";

async function ask(world: World, request: Partial<ProxyRequest>): Promise<string> {
  const reply = world.proxy({
    kind: "pods",
    namespace: arena,
    name: "",
    port: undefined,
    path: "/metrics",
    query: new URLSearchParams(),
    signal: new AbortController().signal,
    ...request,
  });
  world.loop.advance(1000);
  const answer = await reply;
  return "error" in answer ? answer.error : answer.body;
}

const pod = (world: World, app: string): string => podsOf(world, app)[0]?.metadata.name ?? "";

/** Value of the first sample whose line holds all words. */
function sample(text: string, ...words: readonly string[]): number {
  const line = text.split("\n").find((each) => words.every((word) => each.includes(word)));
  return Number(line?.split(" ").at(-1));
}

test("answers for a kubelet's cAdvisor: CPU, throttling, memory, network", async () => {
  using world = deployedWorld("online-boutique");
  const name = pod(world, "frontend");
  const node = podsOf(world, "frontend")[0]?.spec.nodeName;
  const scrape = () => ask(world, { kind: "nodes", name: node, path: "/metrics/cadvisor" });
  const before = await scrape();
  const frontend = world.machine.byPod(arena, name)?.containers.get("server");
  for (const _worker of [1, 2, 3, 4])
    frontend?.processes.push({
      pid: 99,
      command: "stress-ng",
      kind: "cpu-stressor",
      user: "root",
      startedAt: world.loop.now(),
      cpuDemand: 1,
      memoryBytes: 0,
    });
  world.loop.advance(60_000);
  const after = await scrape();
  const grown = (metric: string): number =>
    sample(after, `${metric}{`, `pod="${name}"`) - sample(before, `${metric}{`, `pod="${name}"`);
  const limit = frontend?.cpuLimit ?? 0;
  expect(grown("container_cpu_usage_seconds_total") / 61).toBeCloseTo(limit, 1);
  expect(grown("container_cpu_cfs_throttled_periods_total")).toBeGreaterThan(590);
  expect(grown("container_cpu_cfs_throttled_seconds_total")).toBeGreaterThan(50);
  expect(sample(after, "container_memory_working_set_bytes{", `pod="${name}"`)).toBe(frontend?.usage.memory);
  expect(grown("container_network_receive_bytes_total")).toBeGreaterThan(10_000);
});

test("counts a program's requests and those it makes in OpenTelemetry's names", async () => {
  using world = deployedWorld("online-boutique");
  world.loop.advance(30_000);
  const scrape = () => ask(world, { name: pod(world, "frontend"), port: 9464 });
  const rate = world.physics.services(arena).find(({ workload }) => workload === "frontend");
  const count = (text: string, ...words: string[]): number => sample(text, "_count{", ...words);
  const before = await scrape();
  world.loop.advance(100_000);
  const after = await scrape();
  const served = 'http_response_status_code="200"';
  const seconds = 101;
  const grown =
    count(after, "http_server_request_duration_seconds", served) -
    count(before, "http_server_request_duration_seconds", served);
  expect(grown).toBeCloseTo((rate?.requestsPerSecond ?? 0) * seconds, -1);
  const cart = ["rpc_client_call_duration_seconds", 'server_address="cartservice"'];
  expect(count(after, ...cart, 'rpc_response_status_code="OK"')).toBeGreaterThan(
    count(before, ...cart, 'rpc_response_status_code="OK"'),
  );
  world.store.mutate(resources.deployments, arena, "cartservice", (each) => ({
    ...each,
    spec: { ...each.spec, replicas: 0 },
  }));
  world.loop.advance(60_000);
  expect(count(await scrape(), ...cart, 'error_type="UNAVAILABLE"')).toBeGreaterThan(0);
});

test("passes requests on to pods and services, and says why when it cannot", async () => {
  using world = deployedWorld("online-boutique");
  expect(await ask(world, { kind: "services", name: "frontend", port: 80, path: "/" })).toBe("OK\n");
  expect(await ask(world, { name: pod(world, "redis-cart"), port: 9999, path: "/" })).toMatch(
    /^dial tcp 10\.\S+:9999: connect: connection refused$/,
  );
  expect(await ask(world, { name: pod(world, "redis-cart"), port: 9464 })).toContain("target_info");
});
