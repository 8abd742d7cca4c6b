import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Cluster, Clusters } from "@microremed/cluster";
import { silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import { probe } from "./probe.ts";

/** A Prometheus that answers every query with `body`, and what it was asked. */
async function ask(promql: string, body: string) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    asked.push(`${request.url} ${new URLSearchParams(await text(request)).get("query")}`);
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const prometheus = `http://127.0.0.1:${(server.address() as AddressInfo).port}/prom/`;
  const clusters: Pick<Clusters, "get" | "entries"> = {
    entries: [{ name: "c1", kubeconfig: "/k", arenas: 1, prometheus }],
    get: async () => ({}) as Cluster,
  };
  const unused = async () => {
    throw new Error("nothing is run for a query");
  };
  try {
    const reply = await probe(
      {
        episodeId: "exp-1.0000",
        arena: { cluster: "c1", slot: 0, namespace: "shop", fence: 1 },
        probe: { kind: "metrics", promql },
        timeoutSeconds: 1,
      },
      { clusters, runProbe: unused, runTelemetry: unused },
      { signal: new AbortController().signal, log: silentLogger },
    );
    return { reply, asked };
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
  expect(reply).toEqual({ status: "ok", exitCode: 0, output: 'up{pod="cart-0"} 1\n{pod="cart-1"} 0' });
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
  expect(reply).toEqual({ status: "failed", exitCode: 1, output: "expected range" });
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
