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

/** What is really so, per second: the recipes must find it. */
const truth = { cores: 0.25, bytes: 50 * 2 ** 20, requests: 10, failed: 0.2, seconds: 0.05 };

type Protocol = "http_server_request" | "rpc_server_call";
interface Served {
  readonly pod: string;
  readonly protocol: Protocol;
  readonly perSecond: number;
  readonly failed: number;
  /** Of every request, in the bucket up to `upTo`. */
  readonly seconds: number;
  readonly upTo: 0.025 | 0.1 | 2.5;
}

const cart = "cart-6c7954cc77-z8qqn";
const http = { protocol: "http_server_request" as const, failed: 0 };
const served: readonly Served[] = [
  { ...http, pod: cart, perSecond: truth.requests, failed: truth.failed, seconds: truth.seconds, upTo: 0.1 },
  // It has served slow requests, and none since: it is in no average.
  { ...http, pod: "cart-6c7954cc77-bbbbb", perSecond: 0, seconds: 2, upTo: 2.5 },
  // One pod, two protocols, the name of a DaemonSet.
  { ...http, pod: "node-agent-x7k2p", perSecond: 30, seconds: 0.02, upTo: 0.025 },
  {
    ...{ pod: "node-agent-x7k2p", protocol: "rpc_server_call", perSecond: 10, failed: 0.4 },
    ...{ seconds: 2, upTo: 2.5 },
  },
];

/** The page of a target whose counters grow with the time: pods of the arena's namespace, and of another. */
function page(seconds: number): string {
  const lines = ["shop", "elsewhere"].flatMap((namespace, place) => {
    const of = (pod: string, more = "") => `{namespace="${namespace}",pod="${pod}"${more}}`;
    const histograms = served.flatMap(({ pod, protocol, perSecond, failed, seconds: took, upTo }) => {
      const count = perSecond === 0 ? 100 : seconds * perSecond * (place + 1);
      const name = `${protocol}_duration_seconds`;
      const part = (share: number, more: string) => [
        `${name}_count${of(pod, more)} ${share}`,
        `${name}_sum${of(pod, more)} ${share * took}`,
        ...[0.025, 0.1, 2.5].map(
          (le) => `${name}_bucket${of(pod, `${more},le="${le}"`)} ${le < upTo ? 0 : share}`,
        ),
        `${name}_bucket${of(pod, `${more},le="+Inf"`)} ${share}`,
      ];
      return [
        ...part(count * (1 - failed), ',route="/"'),
        ...(failed > 0 ? part(count * failed, ',route="/",error_type="500"') : []),
      ];
    });
    return [
      `container_cpu_usage_seconds_total${of(cart, ',container="server"')} ${seconds * truth.cores}`,
      `container_cpu_usage_seconds_total${of(cart, ',container=""')} ${seconds * truth.cores}`,
      `container_memory_working_set_bytes${of(cart, ',container="server"')} ${truth.bytes}`,
      ...histograms,
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
  interface Row {
    readonly name: string;
    readonly pod?: string;
    readonly workload: string;
    readonly values: readonly (number | null)[];
  }
  const measured = async (per: "pod" | "workload"): Promise<Record<string, Record<string, number>>> => {
    const reply = await ask({ kind: "series", names: [...names], per, ...range });
    const { rows } = JSON.parse(reply.output) as { rows: Row[] };
    const found: Record<string, Record<string, number>> = {};
    for (const { name, pod, workload, values } of rows) {
      const last = values.at(-1) ?? null;
      found[pod ?? workload] = { ...found[pod ?? workload], ...(last !== null && { [name]: last }) };
    }
    return found;
  };
  await expect
    .poll(async () => Object.keys((await measured("pod"))[cart] ?? {}).sort(), {
      timeout: 60_000 * busyFactor(),
      interval: 500,
    })
    .toEqual([...names].sort());

  const byPod = await measured("pod");
  const found = byPod[cart] ?? {};
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
  expect(byPod["cart-6c7954cc77-bbbbb"]).toEqual({ requests: 0 });

  const byWorkload = await measured("workload");
  expect(Object.keys(byWorkload).sort()).toEqual(["cart", "node-agent"]);
  const { cart: all = {}, "node-agent": agent = {} } = byWorkload;
  expect(all["latency"]).toBeCloseTo(truth.seconds * 1000, 0);
  expect(all["errors"]).toBeCloseTo(truth.failed, 2);
  expect(all["latency_p95"]).toBeLessThanOrEqual(100);
  expect(all["memory"]).toBeCloseTo(truth.bytes, -4);
  // Three quarters of its requests over HTTP, the slow and failing rest over gRPC.
  expect(agent["latency"]).toBeCloseTo((3 * 20 + 2000) / 4, -1);
  expect(agent["errors"]).toBeCloseTo(0.1, 2);
  expect(agent["latency_p95"]).toBeGreaterThan(100);
  expect((agent["requests"] ?? 0) / (all["requests"] ?? 1)).toBeCloseTo(4, 0);

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
