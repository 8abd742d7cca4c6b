import { readFile } from "node:fs/promises";
import { connectNatsBus } from "@microremed/bus/nats";
import { type ClustersFile, ExperimentPage, subjects } from "@microremed/contracts";
import { type Logger, silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import { startStack } from "./start-stack.ts";

test("an embedded cluster that dies alone is replaced, and its episodes are solved elsewhere", async () => {
  const warnings: object[] = [];
  const log: Logger = {
    ...silentLogger,
    warn: (fields: object, text?: string) => void warnings.push({ ...fields, text }),
  };
  await using stack = await startStack({
    clusters: { environments: ["simple-micro"], count: 2, timeScale: 200, seed: 1 },
    log,
  });
  const admin = { user: "admin", password: stack.natsPasswords.admin };
  await using bus = await connectNatsBus({
    servers: stack.natsUrl,
    ...admin,
    name: "test",
    log: silentLogger,
  });
  const listed = async (): Promise<string[]> => {
    const { clusters }: ClustersFile = JSON.parse(await readFile(stack.clustersFile, "utf8"));
    return clusters.map(({ name }) => name);
  };
  expect(await listed()).toEqual(["embedded-1", "embedded-2"]);
  expect(new Set(stack.clusterPids.values()).size).toBe(2);
  expect([...stack.clusterPids.values()]).not.toContain(process.pid);

  const request = { id: "dying", environment: "simple-micro", model: "reference/runbook" };
  await bus.submit({ ...request, failures: Array(6).fill("pod-config-error") });
  let killed: string | undefined;
  for await (const event of bus.readEvents("dying", { signal: AbortSignal.timeout(400_000) })) {
    if (event.type === "experiment-finished") break;
    if (killed !== undefined || event.type !== "episode-advanced" || event.state !== "solving") continue;
    killed = event.cluster ?? "";
    process.kill(stack.clusterPids.get(killed) ?? Number.NaN, "SIGKILL");
  }
  const page = await bus.request(
    subjects.experimentQuery,
    { experimentId: "dying", limit: 100 },
    { schema: ExperimentPage, timeoutMs: 5_000 },
  );
  const episodes = page.status === "ok" ? page.episodes : [];
  expect(episodes.map(({ outcome }) => outcome)).toEqual(Array(6).fill("remediated"));
  expect(episodes.filter(({ trial }) => trial > 1).length).toBeGreaterThan(0);
  await expect.poll(listed).toContain(`${killed}-2`);
  expect(await listed()).toHaveLength(2);
  expect(stack.clusters).toContain(`${killed}-2`);
  expect(warnings).toContainEqual({
    cluster: killed,
    how: "ended by SIGKILL",
    text: expect.stringMatching(/its episodes are tried again on other clusters/),
  });
}, 600_000);
