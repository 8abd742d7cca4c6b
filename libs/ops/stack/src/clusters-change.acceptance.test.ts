import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connectNatsBus } from "@microremed/bus/nats";
import { type ClustersFile, ExperimentPage, type RangeEvent, subjects } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import { connectRedisState } from "@microremed/state/redis";
import { expect, test } from "vitest";
import { startStack } from "./start-stack.ts";

const nowhere = {
  "current-context": "c",
  clusters: [{ name: "c", cluster: { server: "https://127.0.0.1:9" } }],
  users: [{ name: "u", user: { token: "t" } }],
  contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
};

test("clusters join and leave, one of them dead, while an experiment runs: every episode ends right", async () => {
  await using stack = await startStack({
    clusters: { environments: ["simple-micro"], count: 3, timeScale: 200, seed: 1 },
    // As processes of their own they follow the file, as they do with clusters that exist already.
    replicas: { injector: 1, executor: 1, verifier: 1 },
    log: silentLogger,
  });
  await using state = await connectRedisState({ url: stack.redisUrl, log: silentLogger });
  const admin = { user: "admin", password: stack.natsPasswords.admin };
  await using bus = await connectNatsBus({
    servers: stack.natsUrl,
    ...admin,
    name: "test",
    log: silentLogger,
  });
  const { clusters: three }: ClustersFile = JSON.parse(await readFile(stack.clustersFile, "utf8"));
  await writeFile(join(stack.dir, "dead.kubeconfig"), JSON.stringify(nowhere), { mode: 0o600 });
  const dead = { name: "dead", kubeconfig: "dead.kubeconfig", arenas: 1 };
  const [one, two, three_] = three;
  if (!one || !two || !three_) throw new Error("three clusters were asked for");

  /** As Kubernetes does with mounted files: at once. */
  const use = async (clusters: readonly unknown[]): Promise<void> => {
    await writeFile(`${stack.clustersFile}.new`, JSON.stringify({ clusters }));
    await rename(`${stack.clustersFile}.new`, stack.clustersFile);
  };
  const known = async () => (await state.arenas.list()).map(({ cluster }) => cluster);
  await use([one, two, dead]);
  await expect.poll(known).toEqual(["dead", "embedded-1", "embedded-2"]);

  const request = { id: "moving", environment: "simple-micro", model: "reference/runbook" };
  await bus.submit({ ...request, failures: Array(10).fill("pod-fail") });
  const events: RangeEvent[] = [];
  let changedAt = Number.POSITIVE_INFINITY;
  for await (const event of bus.readEvents("moving", { signal: AbortSignal.timeout(600_000) })) {
    events.push(event);
    if (event.type === "experiment-finished") break;
    if (event.type === "episode-finished" && changedAt === Number.POSITIVE_INFINITY) {
      await use([{ ...two, drain: true }, three_]);
      await expect.poll(known).toEqual(["embedded-3"]);
      changedAt = Date.now();
    }
  }
  const page = await bus.request(
    subjects.experimentQuery,
    { experimentId: "moving", limit: 100 },
    { schema: ExperimentPage, timeoutMs: 5_000 },
  );
  const episodes = page.status === "ok" ? page.episodes : [];
  expect(episodes.map(({ outcome }) => outcome)).toEqual(Array(10).fill("remediated"));
  // What had an arena on the dead cluster was tried again elsewhere; what ran on the two that left was finished there.
  const leases = events.flatMap((event) =>
    event.type === "episode-advanced" && event.state === "leased" ? [event] : [],
  );
  expect(leases.some(({ cluster }) => cluster === "dead")).toBe(true);
  expect(episodes.filter(({ trial }) => trial > 1).length).toBeGreaterThan(0);
  const after = new Set(leases.filter(({ at }) => at > changedAt).map(({ cluster }) => cluster));
  expect([...after]).toEqual(["embedded-3"]);
  const served = await readFile(join(stack.dir, "executor.log"), "utf8");
  await expect
    .poll(() => [...served.matchAll(/clusters that are served changed/g)].length)
    .toBeGreaterThan(0);
}, 1_200_000);
