import { environmentOn } from "@microremed/catalogue";
import { kinds } from "@microremed/cluster";
import { isDamage } from "@microremed/contracts";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import type { ArenaContext } from "./arena.ts";
import { injectFailure } from "./inject-failure.ts";
import { prepareArena } from "./prepare-arena.ts";
import { restoreArena } from "./restore-arena.ts";
import { arenaOn, kubectlAs, startWorld } from "./testing/world.ts";

const { environments } = await builtInCatalogue();
const micro = environmentOn({ sendsLoad: false }, environments.get("simple-micro"));
const command = { failure: "pod-fail", target: "time-service", timeoutSeconds: 120 };

/** Requests that the entry's pods have served. */
async function served({ cluster, namespace }: ArenaContext): Promise<number> {
  const pods = await cluster.list(kinds.pod, { namespace, labelSelector: "app=hello-service" });
  let sum = 0;
  for (const { metadata } of pods) {
    const program = { kind: "pods" as const, namespace, name: metadata.name, port: 9464 };
    const counts = (await cluster.fetchText(program, "/metrics")) ?? "";
    for (const [, count] of counts.matchAll(/^http_server_request_duration_seconds_count\S* (\S+)/gm))
      sum += Number(count);
  }
  return sum;
}

test("on a cluster that sends no load the arena's own generator does, and is put back as everything else", async () => {
  await using world = await startWorld("plain", micro);
  const { cluster } = world;
  expect(cluster.sendsLoad).toBe(false);
  const arena = arenaOn(cluster, micro);
  const { namespace } = arena;
  const servedIn = async (ms: number): Promise<number> => {
    const before = await served(arena);
    await cluster.clock.sleep(ms);
    return (await served(arena)) - before;
  };
  expect(await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 })).toEqual({ deployed: true });
  expect(await servedIn(120_000)).toBeGreaterThan(10);
  const injected = await injectFailure(arena, command);
  if (injected.status !== "ok") throw new Error(injected.reason);
  expect(injected.baseline.edges?.map(({ edge }) => edge)).toContain("load-generator -> hello-service:5000");

  const kubectl = await kubectlAs(await cluster.agentKubeconfig(namespace, { readOnly: false }));
  expect(await kubectl("get deployment,configmap -l app=load-generator")).toMatchObject({ code: 0 });
  // An agent may take it away as any workload: that is damage, and no requests come then.
  expect(await kubectl("delete deployment/load-generator configmap/load-generator")).toMatchObject({
    code: 0,
  });
  await cluster.clock.sleep(30_000);
  expect(await servedIn(60_000)).toBe(0);

  const { damage, how } = await restoreArena(arena, { ...command, baseline: injected.baseline });
  expect(how).toBe("reset");
  expect(
    damage?.changes.filter(isDamage).flatMap(({ what, object }) => (what === "removed" ? [object] : [])),
  ).toEqual(expect.arrayContaining(["ConfigMap/load-generator", "Deployment/load-generator"]));
  expect(await servedIn(120_000)).toBeGreaterThan(10);
  expect(await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 })).toEqual({ deployed: false });
});

test("a cluster whose images know the system alone runs its load generator, too, and requests come once", async () => {
  await using world = await startWorld("plain", environments.get("simple-micro"));
  const arena = arenaOn(world.cluster, micro);
  expect(await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 })).toEqual({ deployed: true });
  const before = await served(arena);
  await world.cluster.clock.sleep(600_000);
  const perSecond = ((await served(arena)) - before) / 600;
  expect(perSecond / micro.load.requestsPerSecond).toBeGreaterThan(0.8);
  expect(perSecond / micro.load.requestsPerSecond).toBeLessThan(1.25);
});
