import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Cluster, Clusters } from "@microremed/cluster";
import type { Probe } from "@microremed/contracts";
import { silentLogger, wallClock } from "@microremed/core";
import { expect, test } from "vitest";
import { probe } from "./probe.ts";

/** A Prometheus that answers every query with `body`, and what it was asked. */
async function ask(question: string | Probe, body: string) {
  const asks: Probe = typeof question === "string" ? { kind: "metrics", promql: question } : question;
  const asked: string[] = [];
  const ranges: number[][] = [];
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    asked.push(`${request.url} ${form.get("query")}`);
    ranges.push(["start", "end", "step"].map((name) => Number(form.get(name))));
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const prometheus = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prom/`;
  const clusters: Pick<Clusters, "get" | "entries"> = {
    entries: [{ name: "c1", kubeconfig: "/k", arenas: 1, prometheus }],
    get: async () => ({ clock: { ...wallClock, now: async () => 1_000_000 } }) as unknown as Cluster,
  };
  const unused = async () => {
    throw new Error("nothing is run for a query");
  };
  try {
    const reply = await probe(
      {
        episodeId: "exp-1.0000",
        arena: { cluster: "c1", slot: 0, namespace: "shop", fence: 1 },
        probe: asks,
        timeoutSeconds: 1,
      },
      { clusters, runProbe: unused, runTelemetry: unused },
      { signal: new AbortController().signal, log: silentLogger, assertHeld: async () => {} },
    );
    return { reply, asked, ranges };
  } finally {
    server.close();
  }
}

const success = (data: unknown) => JSON.stringify({ status: "success", data });

test("a query sees only the arena's namespace and gets one series per line", async () => {
  const result = [
    { metric: { __name__: "up", pod: "cart-0" }, value: [1, "1"] },
    { metric: { pod: "cart-1" }, value: [1, "0"] },
  ];
  const { reply, asked } = await ask('up{job="x"}', success({ resultType: "vector", result }));
  expect(asked).toEqual(['/prom/api/v1/query up{job="x",namespace="shop"}']);
  expect(reply).toEqual({
    status: "ok",
    exitCode: 0,
    output: 'up{pod="cart-0"} 1\n{pod="cart-1"} 0',
    clusterMs: 0,
  });
});

test("ranges, numbers and empty results are returned too", async () => {
  const matrix = [
    {
      metric: { a: "b" },
      values: [
        [1, "2"],
        [3, "4"],
      ],
    },
  ];
  expect((await ask("up[1m]", success({ resultType: "matrix", result: matrix }))).reply.output).toBe(
    '{a="b"} 2@1 4@3',
  );
  expect((await ask("1", success({ resultType: "scalar", result: [1, "7"] }))).reply.output).toBe("7");
  expect((await ask("up", success({ resultType: "vector", result: [] }))).reply.output).toBe("(no series)");
});

test("what Prometheus does not like goes back to the model", async () => {
  const { reply } = await ask(
    "rate(up)",
    '{"status":"error","errorType":"bad_data","error":"expected range"}',
  );
  expect(reply).toEqual({ status: "failed", exitCode: 1, output: "expected range", clusterMs: 0 });
});

test("a query that cannot be confined is refused and not asked", async () => {
  const { reply, asked } = await ask('up{a="b"', "");
  expect(reply).toMatchObject({ status: "refused", output: expect.stringContaining("could not be read") });
  expect(asked).toEqual([]);
});

test("a Prometheus that answers nonsense is the cluster's failure", async () => {
  await expect(ask("up", "<html>")).rejects.toMatchObject({
    code: "cluster-unreachable",
    severity: "retryable",
  });
});

test("measurements over time are a range query for each, in the names of cAdvisor and OpenTelemetry", async () => {
  const values = [
    [970, "1"],
    [985, "NaN"],
    [1000, "2.5"],
  ];
  const result = [{ metric: { pod: "cart-6c7954cc77-z8qqn" }, values }];
  const range = { sinceSeconds: 45, untilSeconds: 0, stepSeconds: 15 };
  const question: Probe = { kind: "series", names: ["cpu", "latency_p95"], ...range };
  const { reply, asked, ranges } = await ask(question, success({ resultType: "matrix", result }));
  expect(asked).toHaveLength(2);
  for (const query of asked) expect(query).toMatch(/^\/prom\/api\/v1\/query_range .*\{namespace="shop"/);
  expect(asked.join()).toMatch(
    /container_cpu_usage_seconds_total.*http_server_request_duration_seconds_bucket/s,
  );
  expect(ranges).toEqual([
    [970, 1000, 15],
    [970, 1000, 15],
  ]);
  const row = { pod: "cart-6c7954cc77-z8qqn", workload: "cart", values: [1, null, 2.5] };
  expect(JSON.parse(reply.output)).toMatchObject({
    at: [970_000, 985_000, 1_000_000],
    rows: [
      { name: "cpu", ...row },
      { name: "latency_p95", ...row },
    ],
  });
});
