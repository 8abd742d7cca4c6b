import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import http from "node:http";
import { type AddressInfo, connect } from "node:net";
import { silentLogger } from "@microremed/core";
import { expect, test } from "vitest";
import { kinds } from "../kinds.ts";
import { clusterOver, kubeconfigFor } from "../testing/cluster-over.ts";
import { connectCluster } from "./connect-cluster.ts";

const pod = (name: string, version: string) => ({
  metadata: { name, namespace: "n", resourceVersion: version },
});

test("reads again after a passing error, and gives up on a lasting one", async () => {
  let calls = 0;
  await using world = await clusterOver((_request, response) => {
    calls++;
    response.statusCode = calls === 1 ? 503 : 200;
    response.end(JSON.stringify(calls === 1 ? { message: "starting" } : pod("a", "1")));
  });
  expect((await world.cluster.get(kinds.pod, "n", "a"))?.metadata.name).toBe("a");
  expect(calls).toBe(2);
});

test("distinguishes a missing object from a refusal, with the API server's words", async () => {
  await using world = await clusterOver((request, response) => {
    response.statusCode = request.url?.endsWith("/gone") ? 404 : 403;
    response.end(JSON.stringify({ message: "pods is forbidden", reason: "Forbidden" }));
  });
  expect(await world.cluster.get(kinds.pod, "n", "gone")).toBeUndefined();
  await expect(world.cluster.get(kinds.pod, "n", "mine")).rejects.toMatchObject({
    code: "cluster-refused",
    severity: "terminal",
    message: expect.stringContaining("pods is forbidden"),
    details: { status: 403, reason: "Forbidden" },
  });
});

test("a cluster that is down is retryable and named", async () => {
  const world = await clusterOver(() => {});
  await world[Symbol.asyncDispose]();
  await expect(world.cluster.list(kinds.pod, { namespace: "n" })).rejects.toMatchObject({
    code: "cluster-unreachable",
    severity: "retryable",
    message: expect.stringContaining("cluster x at http://127.0.0.1"),
  });
});

test("one connection carries call after call, until the cluster is let go of", async () => {
  const ports = new Set<number | undefined>();
  await using world = await clusterOver((request, response) => {
    ports.add(request.socket.remotePort);
    response.end(JSON.stringify(pod("a", "1")));
  });
  for (let n = 0; n < 3; n++) await world.cluster.get(kinds.pod, "n", "a");
  expect(ports.size).toBe(1);
});

test("reads the kubeconfig again when the API server refuses its token", async () => {
  const seen: (string | undefined)[] = [];
  await using world = await clusterOver((request, response) => {
    seen.push(request.headers.authorization);
    response.statusCode = request.headers.authorization === "Bearer fresh" ? 200 : 401;
    response.end(JSON.stringify(pod("a", "1")));
  });
  await writeFile(world.kubeconfig, kubeconfigFor(world.origin, "fresh"));
  await world.cluster.get(kinds.pod, "n", "a");
  expect(seen).toEqual(["Bearer t", "Bearer fresh"]);
});

test("reaches a cluster through a proxy, watches included", async () => {
  await using world = await clusterOver((request, response) => {
    if (!request.url?.includes("watch=true")) {
      response.end(JSON.stringify({ metadata: { resourceVersion: "1" }, items: [] }));
    } else response.write(`${JSON.stringify({ type: "ADDED", object: pod("b", "2") })}\n`);
  });
  const asked: string[] = [];
  const target = new URL(world.origin);
  const proxy = http
    .createServer((request, response) => {
      const { host, pathname, search } = new URL(request.url ?? "");
      asked.push(host);
      http.get(`${target.origin}${pathname}${search}`, (answer) => answer.pipe(response));
    })
    .on("connect", (request, socket) => {
      asked.push(request.url ?? "");
      const onward = connect(Number(target.port), target.hostname, () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        socket.pipe(onward).pipe(socket);
      });
      for (const end of [socket, onward]) end.on("error", () => {});
    });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const { port } = proxy.address() as AddressInfo;
  await writeFile(world.kubeconfig, kubeconfigFor("http://cluster.invalid", "t", `http://127.0.0.1:${port}`));
  const entry = { name: "x", kubeconfig: world.kubeconfig, arenas: 1 };
  await using cluster = await connectCluster(entry, { log: silentLogger });
  const found = await cluster.waitUntil(
    { what: "a pod", timeoutMs: 5000, namespace: "n", kinds: [kinds.pod] },
    (view) => view.list(kinds.pod)[0],
  );
  expect(found.metadata.name).toBe("b");
  expect(new Set(asked)).toEqual(new Set(["cluster.invalid:80"]));
  proxy.close();
  proxy.closeAllConnections();
});

test("does not send a create twice when its answer is lost", async () => {
  let calls = 0;
  await using world = await clusterOver((request) => {
    calls++;
    request.socket.destroy();
  });
  const object = { apiVersion: "v1", kind: "Pod", metadata: { name: "a", namespace: "n" } };
  await expect(world.cluster.create(object)).rejects.toMatchObject({ code: "cluster-unreachable" });
  expect(calls).toBe(1);
});

test("waits by watching, over broken connections and expired versions", async () => {
  let watches = 0;
  await using world = await clusterOver((request, response) => {
    if (!request.url?.includes("watch=true")) {
      response.end(JSON.stringify({ metadata: { resourceVersion: "1" }, items: [pod("a", "1")] }));
      return;
    }
    watches++;
    if (watches === 1) request.socket.destroy();
    else if (watches === 2)
      response.end(`${JSON.stringify({ type: "ERROR", object: { code: 410, metadata: {} } })}\n`);
    else response.write(`${JSON.stringify({ type: "ADDED", object: pod("b", "2") })}\n`);
  });
  const found = await world.cluster.waitUntil(
    { what: "two pods", timeoutMs: 5000, namespace: "n", kinds: [kinds.pod] },
    (view) => (view.list(kinds.pod).length === 2 ? view.list(kinds.pod) : undefined),
  );
  expect(found.map(({ metadata }) => metadata.name)).toEqual(["a", "b"]);
  expect(watches).toBe(3);
});

test("an event comes whole, however it is cut up and whatever its texts hold; one that is none is listed again", async () => {
  const text = "one\u2028two\r three \u20ac";
  let lists = 0;
  let watches = 0;
  await using world = await clusterOver(async (request, response) => {
    if (!request.url?.includes("watch=true")) {
      lists++;
      response.end(JSON.stringify({ metadata: { resourceVersion: "1" }, items: [] }));
      return;
    }
    watches++;
    if (watches === 1) return void response.end("no event\n");
    const object = { ...pod("b", "2"), data: { text } };
    const line = Buffer.from(`${JSON.stringify({ type: "ADDED", object })}\n`);
    const inside = line.indexOf("\u20ac") + 1;
    for (const part of [line.subarray(0, inside), line.subarray(inside)]) {
      response.write(part);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  const found = await world.cluster.waitUntil(
    { what: "a pod", timeoutMs: 5000, namespace: "n", kinds: [kinds.pod] },
    (view) => view.list(kinds.pod)[0],
  );
  expect(found["data"]).toEqual({ text });
  expect([lists, watches]).toEqual([2, 2]);
});

test("a wait that times out says for what it waited and what it saw", async () => {
  await using world = await clusterOver((request, response) => {
    if (request.url?.includes("watch=true")) response.write("\n");
    else response.end(JSON.stringify({ metadata: { resourceVersion: "1" }, items: [pod("a", "1")] }));
  });
  const wait = world.cluster.waitUntil(
    { what: "two pods", timeoutMs: 200, namespace: "n", kinds: [kinds.pod] },
    () => undefined,
    (view) => `${view.list(kinds.pod).length} pod`,
  );
  await expect(wait).rejects.toThrow(/for two pods; last seen: 1 pod/);
});

test("holders share one connection, which is opened again when it drops and closed with the last", async () => {
  const open = new Set<http.ServerResponse>();
  let opened = 0;
  await using world = await clusterOver((request, response) => {
    if (request.url !== "/clock/hold") return;
    opened++;
    open.add(response);
    response.on("close", () => open.delete(response));
    response.write("\n");
  }, "/clock");
  const first = await world.cluster.clock.hold();
  const second = await world.cluster.clock.hold();
  expect(opened).toBe(1);
  for (const response of open) response.destroy();
  await expect.poll(() => opened).toBe(2);
  await first[Symbol.asyncDispose]();
  expect(open.size).toBe(1);
  await second[Symbol.asyncDispose]();
  await expect.poll(() => open.size).toBe(0);
  const third = await world.cluster.clock.hold();
  expect(opened).toBe(3);
  await third[Symbol.asyncDispose]();
});
