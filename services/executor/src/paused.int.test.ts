import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { connectNatsBus } from "@microremed/bus/nats";
import { kinds } from "@microremed/cluster";
import { connectCluster } from "@microremed/cluster/kubeconfig";
import { ExperimentRequest, plannedRecord, playbookTool, subjects } from "@microremed/contracts";
import { aPlannedEpisode, aRunningExperiment } from "@microremed/contracts/testing";
import { silentLogger as log } from "@microremed/core";
import { startNatsServer, startRedisServer } from "@microremed/servers";
import { startSimCluster } from "@microremed/simcluster";
import { connectRedisState } from "@microremed/state/redis";
import { expect, test } from "vitest";

/** Writes down, in the arena, which run it is and how far it has come. */
const playbook = `
- hosts: k3s_control_plane
  gather_facts: false
  tasks:
    - shell: |
        run=$(od -An -N4 -tx1 /dev/urandom | tr -d ' ')
        for i in $(seq 1000); do
          kubectl annotate configmap beats run-$run=$i --overwrite
          kubectl get configmap beats -o yaml | grep -q enough && break
          sleep 0.1
        done
`;

test("without a sandbox, a playbook of a paused executor can change nothing any more once another has taken over", async () => {
  await using stack = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), "microremed-paused-"));
  stack.defer(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  const sim = stack.use(await startSimCluster({ name: "c1", seed: 1, timeScale: 100, environments: [] }));
  const kubeconfig = join(dir, "kubeconfig");
  await writeFile(kubeconfig, sim.kubeconfig, { mode: 0o600 });
  const entry = { name: "c1", kubeconfig, clock: sim.clockUrl, arenas: 1 };
  const clustersFile = join(dir, "clusters.yaml");
  await writeFile(clustersFile, JSON.stringify({ clusters: [entry] }));
  const cluster = stack.use(await connectCluster(entry, { log }));
  await cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
  await cluster.apply({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "beats", namespace: "shop" },
  });
  const beats = async (): Promise<Record<string, number>> => {
    const { annotations = {} } = (await cluster.get(kinds.configMap, "shop", "beats"))?.metadata ?? {};
    const runs = Object.entries(annotations).filter(([name]) => name.startsWith("run-"));
    return Object.fromEntries(runs.map(([name, count]) => [name, Number(count)]));
  };

  const nats = stack.use(await startNatsServer());
  const redis = stack.use(await startRedisServer());
  const bus = stack.use(await connectNatsBus({ servers: nats.url, name: "test", log }));
  const state = stack.use(await connectRedisState({ url: redis.url, log }));
  await bus.ensureStreams();
  const start = async (): Promise<ChildProcess> => {
    const env = { ...process.env, NATS_URL: nats.url, REDIS_URL: redis.url, CLUSTERS_FILE: clustersFile };
    const main = fileURLToPath(new URL("./testing/without-sandbox.ts", import.meta.url));
    const executor = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "inherit"] });
    stack.defer(async () => {
      executor.kill("SIGCONT");
      if (executor.exitCode === null && executor.kill()) await once(executor, "exit");
    });
    for await (const line of executor.stdout) if (String(line).includes('"ready"')) break;
    executor.stdout.resume();
    return executor;
  };

  const id = "paused";
  const request = ExperimentRequest.parse({ id, environment: "shop", model: "reference/noop" });
  const record = aRunningExperiment(id, request);
  const episodes = [plannedRecord(id, aPlannedEpisode())];
  await state.experiments.create(record, { wants: "shop@shop", episodes, messages: [] });
  await state.arenas.register([{ name: "c1", arenas: 1 }]);
  const lease = await state.arenas.leaseNext({ claimMs: 600_000 });
  const key = { episodeId: `${id}.0000`, trial: 1, attempt: 1 };
  const arena = { cluster: "c1", slot: 0, namespace: "shop", fence: lease?.fence ?? 0 };
  const command = {
    experimentId: id,
    ...key,
    arena,
    tool: playbookTool,
    arguments: { playbook },
    policy: "open",
    timeoutSeconds: 120,
  };
  const first = await start();
  await bus.publish(subjects.command("act", "c1"), command, { msgId: "only" });
  await expect.poll(async () => Object.keys(await beats())).toHaveLength(1);

  first.kill("SIGSTOP");
  const [old = ""] = Object.keys(await beats());
  const paused = (await beats())[old] ?? 0;
  await start();
  // It continues while its executor is paused, until the other one has the command.
  await expect.poll(async () => Object.keys(await beats())).toHaveLength(2);
  const atTakeover = (await beats())[old] ?? 0;
  expect(atTakeover).toBeGreaterThan(paused);
  // Time enough for the old one to go on: the new one does meanwhile.
  const [fresh = ""] = Object.keys(await beats()).filter((name) => name !== old);
  await expect.poll(async () => (await beats())[fresh]).toBeGreaterThan(5);
  expect((await beats())[old]).toBe(atTakeover);

  first.kill("SIGCONT");
  await delay(1_000);
  const enough = { type: "merge", body: { data: { enough: "yes" } } } as const;
  await cluster.patch(kinds.configMap, "shop", "beats", enough);
  const result = () => state.results.get({ ...key, stage: "act" });
  await expect.poll(result, { interval: 500 }).toBeDefined();
  // The one that woke up has not taken the other's credentials away, nor brought a result of its own.
  expect((await result())?.body).toMatchObject({ status: "ok", execution: { status: "ok" } });
  expect((await beats())[old]).toBe(atTakeover);
});
