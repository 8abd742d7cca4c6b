import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Cluster, Clusters } from "@microremed/cluster";
import type { Probe } from "@microremed/contracts";
import { busyFactor, silentLogger, wallClock } from "@microremed/core";
import { startPrometheus } from "@microremed/servers/testing";
import { expect, test } from "vitest";
import { probe } from "./probe.ts";

/** `PROMETHEUS` names another one than that on PATH. */
const program = process.env["PROMETHEUS"] ?? "prometheus";
const isInstalled = spawnSync(program, ["--version"]).status === 0;

const pod = "cart-6c7954cc77-z8qqn";
/** What is really so, per second: the recipes must find it. */
const truth = { cores: 0.25, bytes: 50 * 2 ** 20, requests: 10, failed: 0.2, seconds: 0.05 };

/** The page of a target whose counters grow with the time: a pod of the arena's namespace, and one of another. */
function page(seconds: number): string {
  const of = (namespace: string, more = "") => `{namespace="${namespace}",pod="${pod}"${more}}`;
  const lines = ["shop", "elsewhere"].flatMap((namespace, place) => {
    const served = seconds * truth.requests * (place + 1);
    const failed = served * truth.failed;
    const request = "http_server_request_duration_seconds";
    const part = (share: number, more: string) => [
      `${request}_count${of(namespace, more)} ${share}`,
      `${request}_sum${of(namespace, more)} ${share * truth.seconds}`,
      `${request}_bucket${of(namespace, `${more},le="0.025"`)} 0`,
      `${request}_bucket${of(namespace, `${more},le="0.1"`)} ${share}`,
      `${request}_bucket${of(namespace, `${more},le="+Inf"`)} ${share}`,
    ];
    return [
      `container_cpu_usage_seconds_total${of(namespace, ',container="server"')} ${seconds * truth.cores}`,
      `container_cpu_usage_seconds_total${of(namespace, ',container=""')} ${seconds * truth.cores}`,
      `container_memory_working_set_bytes${of(namespace, ',container="server"')} ${truth.bytes}`,
      ...part(served - failed, ',route="/"'),
      ...part(failed, ',route="/",error_type="500"'),
    ];
  });
  return `${lines.join("\n")}\n`;
}

test("a real Prometheus answers queries and measurements over time, of the arena's namespace alone", {
  timeout: 240_000,
}, async (context) => {
  if (!isInstalled)
    context.skip("no prometheus: apt-get install --no-install-recommends prometheus, or PROMETHEUS=path");
  await using cleanup = new AsyncDisposableStack();
  const startedAt = performance.now();
  const target = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4" });
    response.end(page((performance.now() - startedAt) / 1000));
  }).listen(0, "127.0.0.1");
  cleanup.defer(() => void target.close());
  await once(target, "listening");
  const targets = [`127.0.0.1:${(target.address() as AddressInfo).port}`];
  const scraped = { job_name: "pods", honor_labels: true, static_configs: [{ targets }] };
  const server = cleanup.use(await startPrometheus(program, { scrape_configs: [scraped] }));

  const clusters: Pick<Clusters, "get" | "entries"> = {
    entries: [{ name: "c1", kubeconfig: "/k", arenas: 1, prometheus: server.url }],
    get: async () => ({ clock: wallClock }) as unknown as Cluster,
  };
  const unused = async () => {
    throw new Error("nothing is run for a query");
  };
  const ask = (question: Probe) =>
    probe(
      {
        episodeId: "exp-1.0000",
        arena: { cluster: "c1", slot: 0, namespace: "shop", fence: 1 },
        ...{ probe: question, timeoutSeconds: 30 },
      },
      { clusters, runProbe: unused, runTelemetry: unused },
      { signal: new AbortController().signal, log: silentLogger, assertHeld: async () => {} },
    );
  const names = ["cpu", "memory", "requests", "errors", "latency", "latency_p95"] as const;
  const range = { sinceSeconds: 60, untilSeconds: 0, stepSeconds: 5 };
  const measured = async (): Promise<Record<string, number>> => {
    const reply = await ask({ kind: "series", names: [...names], ...range });
    const { rows } = JSON.parse(reply.output) as { rows: { name: string; pod: string; values: unknown[] }[] };
    expect(rows.map((row) => row.pod)).toEqual(rows.map(() => pod));
    const last = rows.map(({ name, values }) => [name, values.findLast((value) => value !== null)] as const);
    return Object.fromEntries(last.filter((one): one is [string, number] => typeof one[1] === "number"));
  };
  await expect
    .poll(async () => Object.keys(await measured()).sort(), { timeout: 60_000 * busyFactor(), interval: 500 })
    .toEqual([...names].sort());

  const found = await measured();
  expect(found["memory"]).toBeCloseTo(truth.bytes, -4);
  expect(found["errors"]).toBeCloseTo(truth.failed, 2);
  // A rate is over the last minute, most of which the counters have not seen yet.
  const { cpu = 0, requests = 0 } = found;
  expect(cpu).toBeGreaterThan(0);
  expect(cpu).toBeLessThanOrEqual(1.1 * truth.cores);
  expect(cpu / requests).toBeCloseTo(truth.cores / truth.requests, 3);
  expect(found["latency"]).toBeCloseTo(truth.seconds * 1000, 0);
  // Between the bounds of the bucket in which every request is.
  expect(found["latency_p95"]).toBeGreaterThan(25);
  expect(found["latency_p95"]).toBeLessThanOrEqual(100);

  const promql = (text: string) => ask({ kind: "metrics", promql: text });
  expect(await promql('count({__name__=~"container_memory.*"})')).toMatchObject({
    status: "ok",
    output: "{} 1",
  });
  expect((await promql('container_memory_working_set_bytes{namespace="elsewhere"}')).output).toBe(
    "(no series)",
  );
  expect((await promql("sum by (namespace) (container_memory_working_set_bytes)")).output).toBe(
    `{namespace="shop"} ${truth.bytes}`,
  );
  expect(await promql("rate(container_memory_working_set_bytes)")).toMatchObject({
    ...{ status: "failed", output: expect.stringContaining("range vector") },
  });
});
