import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bus } from "@microremed/bus";
import { connectNatsBus } from "@microremed/bus/nats";
import { queueLabel, RestoreCommand, streams, subjects } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import { freePort, startNatsServer, startRedisServer } from "@microremed/servers";
import { startPrometheus } from "@microremed/servers/testing";
import { execa } from "execa";
import { dump, load } from "js-yaml";
import { expect, test } from "vitest";
import { repository } from "./repository.ts";
import { startTestCluster } from "./testing/start-cluster.ts";

// What Prometheus Adapter would ask of Prometheus for an autoscaler, asked of a real one (Debian: prometheus) that
// scrapes two schedulers.
const hasPrometheus = (await execa("prometheus", ["--version"], { reject: false })).exitCode === 0;

interface AdapterValues {
  readonly rules: { readonly external: readonly { readonly metricsQuery: string }[] };
}

/** As the adapter makes it from a rule and the labels that an autoscaler chooses by. */
async function adaptersQuery(labels: Readonly<Record<string, string>>): Promise<string> {
  const text = await readFile(join(repository, "docs/dashboards/prometheus-adapter.yaml"), "utf8");
  const [rule] = (load(text) as AdapterValues).rules.external;
  const matchers = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return (rule?.metricsQuery ?? "").replaceAll("<<.LabelMatchers>>", matchers.join(","));
}

/** As the autoscaler does with an external metric's average value. */
const replicasFor = (values: readonly number[], averageValue: number): number =>
  Math.ceil(values.reduce((sum, value) => sum + value, 0) / averageValue);

test.runIf(hasPrometheus)(
  "an autoscaler counts a queue's messages once, those in hand too, and of its queue alone",
  async () => {
    await using stack = new AsyncDisposableStack();
    const dir = await mkdtemp(join(tmpdir(), "microremed-autoscaling-"));
    stack.defer(() => rm(dir, { recursive: true, force: true }));
    const nats = stack.use(await startNatsServer({}));
    const redis = stack.use(await startRedisServer({}));
    const bus = stack.use(await connectNatsBus({ servers: nats.url, name: "t", log: silentLogger }));
    await bus.ensureStreams();
    const clusters = join(dir, "clusters.yaml");
    const { kubeconfig } = stack.use(await startTestCluster());
    await writeFile(clusters, dump({ clusters: [{ name: "staging", kubeconfig }] }));
    const ports = [await freePort(), await freePort()];
    for (const port of ports) {
      const scheduler = execa(process.execPath, [join(repository, "services/scheduler/src/main.ts")], {
        env: { NATS_URL: nats.url, REDIS_URL: redis.url, HEALTH_PORT: String(port), CLUSTERS_FILE: clusters },
        reject: false,
      });
      stack.defer(async () => {
        scheduler.kill();
        await scheduler;
      });
    }
    const targets = ports.map((port) => `127.0.0.1:${port}`);
    const job = { job_name: "microremed", static_configs: [{ targets }] };
    const prometheus = stack.use(await startPrometheus("prometheus", { scrape_configs: [job] }));
    const ask = async (query: string): Promise<number[]> => {
      const { result } = await prometheus.api<{ result: { value: [number, string] }[] }>("query", { query });
      return result.map(({ value }) => Number(value[1]));
    };

    // Twenty commands for one cluster, three of them in hand, and five for another one.
    const held = Promise.withResolvers<void>();
    stack.use(await takeAndHold(bus, "staging", 3, held.promise));
    stack.use(await takeAndHold(bus, "other", 1, held.promise));
    stack.defer(() => held.resolve());
    for (const [cluster, commands] of [
      ["staging", 20],
      ["other", 5],
    ] as const)
      for (let number = 0; number < commands; number += 1) await publishRestore(bus, cluster, number);

    const queue = queueLabel("injector-commands_restore_staging");
    const query = await adaptersQuery({ queue });
    const inHand = `microremed_queue_unacknowledged_messages{queue="${queue}"}`;
    // Both schedulers report them.
    await expect.poll(() => ask(inHand), { interval: 500 }).toEqual([3, 3]);
    await expect.poll(() => ask(query), { interval: 500 }).toEqual([20]);
    expect(replicasFor(await ask(query), 8)).toBe(3);
  },
  90_000,
);

/** Takes so many commands for a cluster and finishes none before it is let go. */
function takeAndHold(
  bus: Bus,
  cluster: string,
  concurrency: number,
  held: Promise<void>,
): Promise<AsyncDisposable> {
  return bus.consume(
    {
      stream: streams.injector.name,
      durable: "injector",
      subjects: [subjects.command("restore", cluster)],
      schema: RestoreCommand,
      concurrency,
      ackWaitMs: 60_000,
    },
    () => held,
  );
}

const publishRestore = (bus: Bus, cluster: string, number: number): Promise<void> =>
  bus.publish(
    subjects.command("restore", cluster),
    {
      experimentId: "exp-1",
      episodeId: `exp-1.000${number}`,
      trial: 1,
      attempt: 0,
      arena: { cluster, slot: 0, namespace: "shop", fence: 1 },
      environment: "online-boutique",
      failure: "cpu-stress",
      target: "cartservice",
      timeoutSeconds: 10,
    },
    { msgId: `${cluster}/${number}` },
  );
