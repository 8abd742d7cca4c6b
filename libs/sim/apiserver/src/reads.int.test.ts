import { request as httpsRequest } from "node:https";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, type TestApi } from "./testing/test-api.ts";

const readsPath = "/microremed/reads";
const shop = "/api/v1/namespaces/shop";

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the answer that it expects
  readonly body: any;
}

let cluster: TestApi;
/** May list what `view` shows in the namespace shop, and use the path. */
let reader: string;
/** The same rights, but not to the path. */
let agent: string;

beforeAll(async () => {
  const route = {
    method: "GET",
    path: "/microremed/clock",
    handle: async () => ({ status: 200, body: "{}" }),
  };
  cluster = await startTestApi({ routes: [route] });
  const { kubectl, api } = cluster;
  for (const name of ["shop", "other"]) await kubectl("create", "namespace", name);
  const account = async (name: string): Promise<string> => {
    await kubectl("create", "serviceaccount", name, "-n", "shop");
    await kubectl(
      "create",
      "rolebinding",
      name,
      "--clusterrole=view",
      `--serviceaccount=shop:${name}`,
      "-n",
      "shop",
    );
    return api.issueServiceAccountToken({ namespace: "shop", name, seconds: 3600 }).token;
  };
  [reader, agent] = [await account("reader"), await account("agent")];
  await kubectl(
    "create",
    "clusterrole",
    "reads",
    "--verb=get,post",
    `--non-resource-url=${readsPath}`,
    "--non-resource-url=/microremed/clock",
  );
  await kubectl(
    "create",
    "clusterrolebinding",
    "reads",
    "--clusterrole=reads",
    "--serviceaccount=shop:reader",
  );
  await kubectl("create", "configmap", "c", "--from-literal=a=b", "-n", "shop");
  await kubectl("create", "secret", "generic", "s", "--from-literal=a=b", "-n", "shop");
  await kubectl("create", "secret", "generic", "s", "--from-literal=a=b", "-n", "other");
  await kubectl("run", "p", "--image=x", "-n", "shop");
});
afterAll(() => cluster[Symbol.asyncDispose]());

interface Sent {
  readonly method?: string;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function call(path: string, { method = "GET", token, headers, body }: Sent = {}): Promise<Answer> {
  const { api } = cluster;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const options = { ca: api.caPem, headers: { ...authorization, ...headers }, method };
    const request = httpsRequest(api.url + path, options, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({
        status: response.statusCode ?? 0,
        body: JSON.parse(Buffer.concat(chunks).toString() || "null"),
      });
    });
    request.on("error", reject);
    request.end(body);
  });
}

const post = (body: unknown, sent: Sent = {}): Promise<Answer> =>
  call(readsPath, { token: cluster.api.adminToken, ...sent, method: "POST", body: JSON.stringify(body) });

async function answersTo(token: string, paths: readonly string[]): Promise<readonly Answer[]> {
  const { status, body } = await post({ paths }, { token });
  expect(status).toBe(200);
  return body.answers;
}

test("answers each read as a GET of its own would be answered, with the same user's rights", async () => {
  const paths = [
    `${shop}/configmaps`,
    `${shop}/configmaps/c`,
    `${shop}/configmaps/none`,
    `${shop}/configmaps?limit=x`,
    `${shop}/configmaps?labelSelector=a+b+c`,
    `${shop}/pods?fieldSelector=metadata.name%3Dp`,
    `${shop}/secrets`,
    `${shop}/secrets/s`,
    "/api/v1/namespaces/other/configmaps",
    "/api/v1/namespaces/other/secrets/s",
    "/api/v1/secrets",
    "/api/v1/nodes",
    "/api/v1/namespaces/shop",
    "/api/v1/nothings",
    "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    `${shop}/../other/secrets`,
    `${shop}/configmaps/%ff`,
    "/api/v1/namespaces//secrets",
  ];
  for (const token of [reader, cluster.api.adminToken]) {
    const together = await answersTo(token, paths);
    const alone = await Promise.all(paths.map((path) => call(path, { token })));
    expect(together).toEqual(alone);
  }
  const odd = [
    "/..%2fother/secrets",
    "%2f..%2fother/secrets",
    "/../../../../api/v1/namespaces/other/secrets",
  ];
  const elsewhere = [...odd.map((rest) => shop + rest), "//api/v1/namespaces/other/secrets"];
  for (const { status, body } of await answersTo(reader, elsewhere)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body.kind).toBe("Status");
  }
  const [list, one, missing] = await answersTo(reader, paths);
  expect([list?.status, one?.status, missing?.status]).toEqual([200, 200, 404]);
  expect((await answersTo(reader, paths)).slice(6, 12).map(({ status }) => status)).toEqual(
    Array(6).fill(403),
  );
});

test("reads nothing but objects and lists, whatever the user may do", async () => {
  const paths = [
    `${shop}/configmaps?watch=true`,
    `${shop}/configmaps?watch=1&timeoutSeconds=1`,
    "/api/v1/watch/namespaces/shop/configmaps",
    `${shop}/pods/p/exec?command=ls`,
    `${shop}/pods/p/attach`,
    `${shop}/pods/p/portforward?ports=80`,
    `${shop}/pods/p/log?follow=true`,
    `${shop}/pods/p/proxy/`,
    `${shop}/pods/p:80/proxy/metrics`,
    `${shop}/services/x/proxy`,
    `${shop}/pods/p/status`,
    "/api/v1/nodes/n/proxy/metrics",
    "/microremed/clock",
    "/microremed/clock/hold",
    readsPath,
    "/version",
    "/healthz",
    "/openapi/v2",
    "/api/v1",
    "https://elsewhere/",
    "",
  ];
  for (const token of [reader, cluster.api.adminToken])
    for (const { status, body } of await answersTo(token, paths)) {
      expect(status).toBe(400);
      expect(body).toMatchObject({ kind: "Status", code: 400 });
    }
});

test("is for users with a right to the path, and gives impersonators no more than they may", async () => {
  const read = { paths: [`${shop}/configmaps`, `${shop}/secrets`] };
  expect(await post(read, { token: agent })).toMatchObject({ status: 403 });
  expect(await post(read, { token: undefined })).toMatchObject({ status: 401 });
  expect(await post(read, { token: "forged.forged.forged" })).toMatchObject({ status: 401 });
  const as = (name: string): Sent => ({
    headers: { "impersonate-user": `system:serviceaccount:shop:${name}` },
  });
  expect(await post(read, as("agent"))).toMatchObject({ status: 403 });
  const { body } = await post(read, as("reader"));
  expect(body.answers).toMatchObject([{ status: 200 }, { status: 403 }]);
  expect(await post(read, { token: reader, ...as("agent") })).toMatchObject({ status: 403 });
  expect(await call(readsPath, { token: reader })).toMatchObject({ status: 404 });
});

test("is bounded in number and size, and what is too much can be read alone", async () => {
  const path = `${shop}/configmaps`;
  const wrong = [
    undefined,
    null,
    [],
    {},
    { paths: [] },
    { paths: {} },
    { paths: [1] },
    { paths: [path, null] },
    { paths: Array(101).fill(path) },
    { paths: [`${path}?labelSelector=${"x".repeat(32 * 1024)}`] },
  ];
  for (const body of wrong) expect(await post(body)).toMatchObject({ status: 400 });
  expect(await post({ paths: Array(100).fill("x".repeat(32 * 1024)) })).toMatchObject({ status: 413 });
  expect(await answersTo(reader, Array(100).fill(path))).toHaveLength(100);
  const large = { metadata: { name: "large" }, data: { a: "x".repeat(1_000_000) } };
  await call(path, {
    method: "POST",
    token: cluster.api.adminToken,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(large),
  });
  const answers = await answersTo(reader, [...Array(60).fill(`${path}/large`), `${path}/c`]);
  const statuses = answers.map(({ status }) => status);
  expect(statuses.slice(0, 33)).toEqual(Array(33).fill(200));
  expect(statuses.slice(34)).toEqual(Array(27).fill(413));
});

test("shows one moment", async () => {
  const kinds = ["configmaps", "pods", "secrets", "services", "serviceaccounts"];
  const reading = answersTo(
    cluster.api.adminToken,
    kinds.map((kind) => `${shop}/${kind}`),
  );
  const writing = cluster.kubectl("create", "configmap", "later", "-n", "shop");
  const versions = (await reading).map(({ body }) => body.metadata.resourceVersion);
  await writing;
  expect(new Set(versions).size).toBe(1);
});
