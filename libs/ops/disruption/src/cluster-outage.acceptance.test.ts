import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectNatsBus } from "@microremed/bus/nats";
import { ClusterList, type RangeEvent, subjects } from "@microremed/contracts";
import { silentLogger as log } from "@microremed/core";
import { startStack } from "@microremed/stack";
import { connectRedisState } from "@microremed/state/redis";
import { expect, test } from "vitest";
import { leftInState, leftOnClusters } from "./leftovers.ts";
import { createLinks } from "./links.ts";

test("one of two clusters falls silent in the middle of two experiments: it is quarantined, every episode ends as it would have, and it is taken back", async () => {
  const dir = await mkdtemp(join(tmpdir(), "microremed-outage-"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  const links = cleanup.use(createLinks(join(dir, "links")));
  const stack = cleanup.use(
    await startStack({
      dir: join(dir, "stack"),
      clusters: { environments: ["simple-micro"], count: 2, timeScale: 200, seed: 1 },
      variables: (name, given) => links.through(name, given),
      log,
    }),
  );
  const access = { servers: stack.natsUrl, user: stack.natsUser, password: stack.natsPassword };
  const bus = cleanup.use(await connectNatsBus({ ...access, name: "test", log }));
  const state = cleanup.use(await connectRedisState({ url: stack.redisUrl, log }));
  const quarantined = async (): Promise<string[]> => {
    const options = { schema: ClusterList, timeoutMs: 10_000 };
    const { clusters } = await bus.request(subjects.clustersQuery, {}, options);
    return clusters.filter(({ quarantine }) => quarantine !== null).map(({ name }) => name);
  };
  const toSecond = links.all.filter(({ name }) => name.endsWith(" - embedded-2"));
  expect(toSecond.length).toBeGreaterThan(0);

  const request = { environment: "simple-micro", failures: Array(5).fill("pod-fail"), method: "SoloGen" };
  const experiments = { helps: "reference/runbook", idles: "reference/noop" };
  for (const [id, model] of Object.entries(experiments)) await bus.submit({ ...request, id, model });
  let isCut = false;
  const until = async (id: string): Promise<RangeEvent[]> => {
    const events: RangeEvent[] = [];
    for await (const event of bus.readEvents(id, { signal: AbortSignal.timeout(600_000) })) {
      events.push(event);
      const isUnderWay = event.type === "episode-advanced" && event.state === "solving";
      if (isUnderWay && event.cluster === "embedded-2" && !isCut) {
        isCut = true;
        for (const link of toSecond) link.set({ kind: "cut" });
      }
      if (event.type === "experiment-finished") break;
    }
    return events;
  };
  const [helps, idles] = await Promise.all(Object.keys(experiments).map(until));
  const outcomes = (events: readonly RangeEvent[] = []) =>
    events.flatMap((event) => (event.type === "episode-finished" ? [event.outcome] : []));
  expect(outcomes(helps)).toEqual(Array(5).fill("remediated"));
  expect(outcomes(idles)).toEqual(Array(5).fill("not-remediated"));
  expect(await quarantined()).toEqual(["embedded-2"]);

  for (const link of toSecond) link.set({ kind: "clear" });
  await expect.poll(quarantined, { interval: 500 }).toEqual([]);
  await bus.submit({ ...request, id: "back", model: "reference/runbook", clusters: ["embedded-2"] });
  expect(outcomes(await until("back"))).toEqual(Array(5).fill("remediated"));
  expect(await leftInState(state)).toEqual([]);
  const chaos = (await leftOnClusters(stack.clustersFile)).filter((line) => !line.includes("namespace "));
  expect(chaos).toEqual([]);
}, 1_800_000);
