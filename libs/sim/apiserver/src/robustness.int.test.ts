import { request as httpsRequest } from "node:https";
import { connect, type TLSSocket } from "node:tls";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { brokenBody, brokenObject } from "./testing/broken-objects.ts";
import { startTestApi, type TestApi } from "./testing/test-api.ts";

/** The whole file stays within some 15 s on two busy cores. */
const runs = { interruptAfterTimeLimit: 2_500, markInterruptAsFailure: false };
const maps = "/api/v1/namespaces/default/configmaps";

let cluster: TestApi;
beforeAll(async () => {
  cluster = await startTestApi();
  const box = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "box" },
    spec: { containers: [{ name: "main", image: "x" }] },
  };
  expect((await send("POST", "/api/v1/namespaces/default/pods", JSON.stringify(box))).status).toBe(201);
});
afterAll(() => cluster[Symbol.asyncDispose]());

function dial(): TLSSocket {
  const { hostname, port } = new URL(cluster.api.url);
  const socket = connect({ host: hostname, port: Number(port), ca: cluster.api.caPem });
  socket.on("error", () => {});
  return socket;
}

const authorization = () => `authorization: Bearer ${cluster.api.adminToken}\r\n`;

interface Answer {
  readonly status: number;
  readonly text: string;
}

function send(method: string, path: string, body: string | Buffer, headers: object = {}): Promise<Answer> {
  const all = { authorization: `Bearer ${cluster.api.adminToken}`, ...headers };
  return new Promise((resolve, reject) => {
    const options = { ca: cluster.api.caPem, headers: all, method };
    const request = httpsRequest(cluster.api.url + path, options, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      response.on("error", reject);
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** All other clients are still served. */
async function expectServing(): Promise<void> {
  expect((await send("GET", maps, "")).status).toBe(200);
}

const kinds = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf", "text/plain"];
const patches = ["json-patch+json", "merge-patch+json", "strategic-merge-patch+json", "apply-patch+yaml"];
const path = fc.oneof(
  fc.string(),
  fc.constantFrom("/metadata/name", "/data/a", "/data/-", "/", "", "/metadata/labels/x~1y"),
);
const operation = fc.record(
  {
    op: fc.constantFrom("add", "remove", "replace", "move", "copy", "test", "nothing"),
    path,
    from: path,
    value: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const directive = fc.dictionary(
  fc.constantFrom(
    "$patch",
    "$retainKeys",
    "$setElementOrder/data",
    "$deleteFromPrimitiveList/x",
    "data",
    "metadata",
    "spec",
    "finalizers",
  ),
  fc.oneof(fc.jsonValue(), fc.constantFrom("replace", "delete", "merge")),
);

test("answers any body of any kind of patch with less than 500", async () => {
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    fc.array(operation).map((list) => JSON.stringify(list)),
    directive.map((each) => JSON.stringify(each)),
  );
  await send(
    "POST",
    maps,
    JSON.stringify({ metadata: { name: "victim", finalizers: ["a/b"] }, data: { a: "1" } }),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...patches), body, async (type, text) => {
      const headers = { "content-type": `application/${type}` };
      const answer = await send("PATCH", `${maps}/victim?fieldManager=fuzz`, text, headers);
      // Kubernetes itself answers 500 to an apply of fields that it does not know.
      if (answer.text.includes("failed to create typed patch object")) expect(answer.status).toBe(500);
      else expect(answer.status).toBeLessThan(500);
    }),
    { ...runs, numRuns: 400 },
  );
  await expectServing();
});

test("answers any object, path and query with less than 500", async () => {
  const object = fc.record(
    {
      metadata: fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.record({ name: fc.string() })),
      spec: fc.jsonValue({ maxDepth: 2 }),
      data: fc.jsonValue({ maxDepth: 2 }),
    },
    { requiredKeys: [] },
  );
  const where = fc.constantFrom(
    maps,
    "/api/v1/namespaces/default/pods",
    "/api/v1/namespaces/default/services",
    "/apis/apps/v1/namespaces/default/deployments",
    "/apis/batch/v1/namespaces/default/cronjobs",
    "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    "/apis/chaos-mesh.org/v1alpha1/namespaces/default/stresschaos",
    "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    "/api/v1/namespaces/default/resourcequotas",
    "/api/v1/namespaces/default/limitranges",
  );
  await fc.assert(
    fc.asyncProperty(where, object, fc.constantFrom(...kinds), async (url, value, type) => {
      const { status, text } = await send("POST", url, JSON.stringify(value), { "content-type": type });
      expect(status === 500 ? text : "").toBe("");
    }),
    { ...runs, numRuns: 100 },
  );
  const segment = fc.oneof(
    fc.webSegment(),
    fc.constantFrom("..", "%2e%2e", "%2f", "%00", "%ff", "namespaces", "status"),
  );
  const query = fc.webQueryParameters({ size: "small" });
  await fc.assert(
    fc.asyncProperty(fc.array(segment, { maxLength: 9 }), query, async (segments, parameters) => {
      const encoded = encodeURI(parameters).slice(0, 2000);
      const { status } = await send(
        "GET",
        `/${["api", "v1", ...segments].join("/")}?${encoded}&timeoutSeconds=1`,
        "",
      );
      expect(status).toBeLessThan(500);
    }),
    { ...runs, numRuns: 100 },
  );
  await expectServing();
});

test("answers any valid object with one value replaced with less than 500, and goes on listing", async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(brokenObject, async (broken) => {
      number += 1;
      const { url } = broken;
      const body = brokenBody(broken, `o${number}`);
      const { status, text } = await send("POST", url, body, { "content-type": "application/json" });
      expect(status >= 500 ? text : "").toBe("");
      if (status !== 201 || number % 5 !== 0) return;
      const table = await send("GET", url, "", { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" });
      expect(table.status).toBe(200);
    }),
    { ...runs, interruptAfterTimeLimit: 4_000, numRuns: 1_500 },
  );
  await expectServing();
});

test("keeps its own objects' prototypes", async () => {
  const body =
    '{"metadata":{"name":"proto","labels":{"__proto__":"x"}},"data":{"a":"1"},"__proto__":{"polluted":"yes"}}';
  expect((await send("POST", maps, body, { "content-type": "application/json" })).status).toBe(201);
  const patch =
    '[{"op":"add","path":"/__proto__/polluted","value":"yes"},{"op":"add","path":"/constructor/prototype/polluted","value":"yes"}]';
  await send("PATCH", `${maps}/proto`, patch, { "content-type": "application/json-patch+json" });
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

test("survives rubbish, half requests and abrupt ends on raw connections", async () => {
  const opening = fc.constantFrom(
    "",
    "GET / HTTP/1.1\r\nhost: x\r\n",
    `POST ${maps} HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n`,
    `POST ${maps} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n`,
    "GET /api/v1/namespaces/default/pods/box/exec?command=cat&stdin=1&stdout=1 HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: v4.channel.k8s.io\r\n",
    "POST /api/v1/namespaces/default/pods/box/exec?command=cat&stdin=1&stdout=1 HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: SPDY/3.1\r\n",
    "POST /api/v1/namespaces/default/pods/box/portforward HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: SPDY/3.1\r\n",
    "GET /api/v1/namespaces/default/pods/box/portforward HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: SPDY/3.1+portforward.k8s.io\r\n",
    "GET /api/v1/namespaces/default/pods/box/portforward?ports=80 HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: v4.channel.k8s.io\r\n",
  );
  /** A SPDY or WebSocket frame with a sane head and anything in it. */
  const frame = fc
    .tuple(fc.integer({ min: 0, max: 12 }), fc.uint8Array({ maxLength: 64 }))
    .map(([type, bytes]) => Buffer.concat([Buffer.from([0x80, 3, 0, type, 0, 0, 0, bytes.length]), bytes]));
  const rest = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      frame,
    ),
    { maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(opening, rest, fc.boolean(), async (head, chunks, abrupt) => {
      const socket = dial();
      await new Promise((resolve) => socket.once("secureConnect", resolve).once("close", resolve));
      if (head) socket.write(`${head}${authorization()}\r\n`);
      for (const chunk of chunks) socket.write(chunk);
      if (abrupt) socket.destroy();
      else socket.end();
      socket.resume();
    }),
    { ...runs, numRuns: 150 },
  );
  await expectServing();
});

test("frees what its watchers held when they go, however they go", async () => {
  // The server's own, such as the signer of certificates.
  const before = cluster.watchers();
  const events: TLSSocket[] = [];
  const ref = { group: "", resource: "configmaps" };
  for (let index = 0; index < 100; index += 1) {
    const socket = dial();
    socket.write(`GET ${maps}?watch=1&resourceVersion=0 HTTP/1.1\r\nhost: x\r\n${authorization()}\r\n`);
    events.push(socket);
  }
  const heard = events.map(
    (socket) =>
      new Promise<void>((resolve) => {
        let text = "";
        socket.on("data", (chunk) => {
          text += chunk;
          if (text.includes("fanned-out")) resolve();
        });
      }),
  );
  await Promise.all(events.map((socket) => new Promise((resolve) => socket.once("data", resolve))));
  cluster.store.create(ref, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "fanned-out", namespace: "default" },
  });
  await Promise.all(heard);
  for (const [index, socket] of events.entries()) index % 2 ? socket.destroy() : socket.end();
  await expect.poll(() => cluster.watchers()).toBe(before);
});

test("disconnects a watcher that does not read, and no other client", async () => {
  const ref = { group: "", resource: "secrets" };
  const socket = dial();
  socket.write(
    `GET /api/v1/namespaces/default/secrets?watch=1 HTTP/1.1\r\nhost: x\r\n${authorization()}\r\n`,
  );
  await new Promise((resolve) => socket.once("data", resolve));
  socket.pause();
  const large = "x".repeat(500_000);
  let object = cluster.store.create(ref, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "large", namespace: "default" },
  });
  const open = cluster.watchers();
  for (let round = 0; round < 80; round += 1) {
    object = cluster.store.update(ref, { ...object, data: { a: large, round: String(round) } });
  }
  expect(cluster.watchers()).toBe(open - 1);
  socket.destroy();
  await expectServing();
});
