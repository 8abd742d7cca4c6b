import { readFile } from "node:fs/promises";
import { connectNatsBus } from "@microremed/bus/nats";
import { type ClustersFile, ExperimentPage, subjects } from "@microremed/contracts";
import { type Logger, silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import { startStack } from "./start-stack.ts";

test("a process with embedded clusters that dies is replaced, and its episodes are solved elsewhere", async () => {
  const warnings: object[] = [];
  const log: Logger = {
    ...silentLogger,
    warn: (fields: object, text?: string) => void warnings.push({ ...fields, text }),
  };
  await using stack = await startStack({
    clusters: { environments: ["simple-micro"], count: 4, hosts: 2, timeScale: 200, seed: 1 },
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
  expect(await listed()).toEqual(["embedded-1", "embedded-2", "embedded-3", "embedded-4"]);
  expect(new Set(stack.clusterPids.values()).size).toBe(2);
  expect([...stack.clusterPids.values()]).not.toContain(process.pid);

  const request = { id: "dying", environment: "simple-micro", model: "reference/runbook" };
  await bus.submit({ ...request, failures: Array(6).fill("pod-config-error") });
  let killed: readonly string[] = [];
  for await (const event of bus.readEvents("dying", { signal: AbortSignal.timeout(600_000) })) {
    if (event.type === "experiment-finished") break;
    if (killed.length > 0 || event.type !== "episode-advanced" || event.state !== "solving") continue;
    const pid = stack.clusterPids.get(event.cluster ?? "") ?? Number.NaN;
    killed = [...stack.clusterPids].flatMap(([name, other]) => (other === pid ? [name] : []));
    process.kill(pid, "SIGKILL");
  }
  const page = await bus.request(
    subjects.experimentQuery,
    { experimentId: "dying", limit: 100 },
    { schema: ExperimentPage, timeoutMs: 5_000 },
  );
  const episodes = page.status === "ok" ? page.episodes : [];
  expect(episodes.map(({ outcome }) => outcome)).toEqual(Array(6).fill("remediated"));
  expect(episodes.filter(({ trial }) => trial > 1).length).toBeGreaterThan(0);
  expect(killed).toHaveLength(2);
  const instead = killed.map((name) => `${name}-2`);
  await expect.poll(listed).toEqual(expect.arrayContaining(instead));
  expect(await listed()).toHaveLength(4);
  expect(stack.clusters).toEqual(expect.arrayContaining(instead));
  const restarts = stack.services.filter(({ pid }) => pid === stack.clusterPids.get(instead[0] ?? ""));
  expect(restarts.map(({ restarts }) => restarts)).toEqual([1, 1, 1]);
  for (const { healthUrl } of restarts)
    await expect.poll(async () => (await fetch(`${healthUrl}/readyz`)).status).toBe(200);
  expect(warnings).toContainEqual({
    clusters: killed,
    how: "ended by SIGKILL",
    text: expect.stringMatching(/its episodes are tried again on other clusters/),
  });
}, 1_200_000);
