import { request as httpsRequest } from "node:https";
import { connect } from "node:tls";
import { expect, test } from "vitest";
import type { Route } from "./context/api-server.types.ts";
import { startTestApi, type TestApi } from "./testing/test-api.ts";

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the answer that it expects
  readonly body: any;
  readonly date: string | undefined;
}

interface Sent {
  readonly method?: string;
  readonly token?: string | undefined;
  readonly type?: string;
  readonly body?: string;
}

function call({ api }: TestApi, path: string, sent: Sent = {}): Promise<Answer> {
  const token = "token" in sent ? sent.token : api.adminToken;
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(sent.type && { "content-type": sent.type }),
  };
  return new Promise((resolve, reject) => {
    const { method = "GET" } = sent;
    const request = httpsRequest(api.url + path, { ca: api.caPem, headers, method }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      const isJson = response.headers["content-type"]?.includes("json");
      const { date } = response.headers;
      resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : text, date });
    });
    request.on("error", reject);
    request.end(sent.body);
  });
}

test("says the cluster's time in the header of every answer, not the wall clock's", async () => {
  await using cluster = await startTestApi();
  cluster.advance(90_000);
  for (const [path, token] of [
    ["/version", undefined],
    ["/api/v1/pods", cluster.api.adminToken],
    ["/api/v1/pods", "forged"],
    ["/no/such/path", cluster.api.adminToken],
  ] as const) {
    const { date } = await call(cluster, path, { token });
    expect({ path, date }).toEqual({ path, date: "Thu, 01 Jan 2026 00:01:30 GMT" });
  }
});

test("answers every malformed request with a Status and lives on", async () => {
  await using cluster = await startTestApi();
  const maps = "/api/v1/namespaces/default/configmaps";
  const post = (body: string, type = "application/json") =>
    call(cluster, maps, { method: "POST", body, type });
  const nested = "[".repeat(100_000) + "]".repeat(100_000);
  const answers = await Promise.all([
    post("{"),
    post("[]"),
    post(nested),
    post('{"metadata":{"name":["x"]}}'),
    post('{"metadata":{"name":"x"},"data":{"a":1}}'),
    post("a: &a [x]\nb: [*a, *a]", "application/yaml"),
    post("{}", "application/xml"),
    post("k8s\0..."),
    post(`"${"x".repeat(4_000_000)}"`),
    call(cluster, `${maps}/%ff`),
    call(cluster, `${maps}?watch=maybe`),
    call(cluster, `${maps}?limit=x`),
    call(cluster, `${maps}?labelSelector=a+b+c`),
    call(cluster, `${maps}?limit=1&continue=rubbish`),
    call(cluster, `${maps}?watch=true&resourceVersion=x`),
    call(cluster, "/api/v1/nothings"),
    call(cluster, "/apis/apps/v1/namespaces/default/deployments/x/nothing"),
    call(cluster, "/api/v1/namespaces/default/pods/x/exec?command=ls", { method: "POST" }),
    call(cluster, maps, { method: "OPTIONS" }),
    call(cluster, maps, { token: undefined }),
    call(cluster, maps, { token: "forged.forged.forged" }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([
    400, 400, 400, 400, 400, 400, 415, 400, 413, 400, 400, 400, 400, 400, 400, 404, 404, 400, 405, 401, 401,
  ]);
  for (const { status, body } of answers)
    expect(body).toMatchObject({ kind: "Status", status: "Failure", code: status });
  expect((await call(cluster, "/healthz")).body).toBe("ok");
});

test("answers what is no HTTP at all with 400", async () => {
  await using cluster = await startTestApi();
  const { hostname, port } = new URL(cluster.api.url);
  const text = await new Promise<string>((resolve) => {
    let received = "";
    const socket = connect({ host: hostname, port: Number(port), ca: cluster.api.caPem });
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.on("close", () => resolve(received));
    socket.write("RUBBISH\r\n\r\n");
  });
  expect(text).toMatch(/^HTTP\/1.1 400 Bad Request/);
});

test("applies the four kinds of patch", async () => {
  await using cluster = await startTestApi();
  const path = "/api/v1/namespaces/default/configmaps/c";
  const patch = (type: string, body: unknown, query = "") =>
    call(cluster, path + query, { method: "PATCH", type: `application/${type}`, body: JSON.stringify(body) });
  const applied = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data: { a: "1" } };
  expect(await patch("apply-patch+yaml", applied, "?fieldManager=me")).toMatchObject({ status: 201 });
  expect((await patch("merge-patch+json", { data: { b: "2" } })).body.data).toEqual({ a: "1", b: "2" });
  expect(
    (await patch("strategic-merge-patch+json", { data: { $patch: "replace", c: "3" } })).body.data,
  ).toEqual({ c: "3" });
  expect((await patch("json-patch+json", [{ op: "add", path: "/data/d", value: "4" }])).body.data).toEqual({
    c: "3",
    d: "4",
  });
  expect(await patch("json-patch+json", [{ op: "replace", path: "/x/y", value: 1 }])).toMatchObject({
    status: 422,
  });
  expect(await patch("unknown+json", {})).toMatchObject({ status: 415 });
  const stale = { metadata: { resourceVersion: "1" }, data: { e: "5" } };
  expect(await patch("merge-patch+json", stale)).toMatchObject({ status: 409, body: { reason: "Conflict" } });
});

test("gives a watch that starts too far back an Expired event", async () => {
  await using cluster = await startTestApi();
  cluster.store.restore(cluster.store.snapshot());
  const { status, body } = await call(cluster, "/api/v1/namespaces/default/pods?watch=1&resourceVersion=1");
  expect(status).toBe(200);
  expect(body).toMatchObject({ type: "ERROR", object: { code: 410, reason: "Expired" } });
});

test("serves the cluster's own routes to the admin alone", async () => {
  const route = {
    method: "GET",
    path: "/microremed/clock",
    handle: async () => ({ status: 200, body: "tick" }),
  };
  await using cluster = await startTestApi({ routes: [route] });
  await cluster.run("kubectl", ["create", "serviceaccount", "agent"]);
  const { token } = cluster.api.issueServiceAccountToken({
    namespace: "default",
    name: "agent",
    seconds: 600,
  });
  expect(await call(cluster, "/microremed/clock")).toMatchObject({ status: 200, body: "tick" });
  expect(await call(cluster, "/microremed/clock", { token })).toMatchObject({ status: 403 });
});

test("streams a route's answer chunk by chunk until the client goes", async () => {
  let over = false;
  async function* ticks(signal: AbortSignal): AsyncGenerator<string> {
    yield "one\n";
    yield "two\n";
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    over = true;
  }
  const route: Route = {
    method: "GET",
    path: "/microremed/clock/hold",
    handle: async ({ signal }) => ({ status: 200, body: ticks(signal) }),
  };
  await using cluster = await startTestApi({ routes: [route] });
  const { api } = cluster;
  const headers = { authorization: `Bearer ${api.adminToken}` };
  const received = await new Promise<string>((resolve, reject) => {
    const request = httpsRequest(`${api.url}${route.path}`, { ca: api.caPem, headers }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
        if (!text.includes("two")) return;
        request.destroy();
        resolve(text);
      });
    });
    request.on("error", reject);
    request.end();
  });
  expect(received).toBe("one\ntwo\n");
  await expect.poll(() => over).toBe(true);
});
