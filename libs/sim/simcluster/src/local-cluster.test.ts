import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { createLocalCluster } from "./local-cluster.ts";

const path = "/api/v1/namespaces/default/configmaps";

function createClient() {
  const cluster = createLocalCluster({ seed: 1, environments: [] });
  const headers = {
    accept: "application/json",
    "content-type": "application/json",
    authorization: `Bearer ${cluster.adminToken}`,
  };
  const call = async (method: string, at: string, body?: object, asValue = true) =>
    cluster.handle({ method, path: at, headers, asValue, ...(body && { body: JSON.stringify(body) }) });
  const listed = async () => {
    const { value } = await call("GET", path);
    return (value as { readonly items: readonly { readonly metadata: { readonly name: string } }[] }).items;
  };
  return { cluster, call, listed };
}

const named = (name: string, data: object) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data,
});

test("who wants values gets the same frozen object as long as it is the same", async () => {
  const { cluster, call, listed } = createClient();
  using _ = cluster;
  expect((await call("POST", path, named("a", { k: "1" }))).status).toBe(201);
  await call("POST", path, named("b", { k: "1" }));
  const before = await listed();
  await call("PUT", `${path}/b`, named("b", { k: "2" }));
  const after = await listed();
  const [a, b] = ["a", "b"].map((name) => before.find(({ metadata }) => metadata.name === name));
  expect(after.find(({ metadata }) => metadata.name === "a")).toBe(a);
  expect(after.find(({ metadata }) => metadata.name === "b")).not.toBe(b);
  expect((await call("GET", `${path}/a`)).value).toBe(a);
  expect(() => Object.assign(a?.metadata ?? {}, { name: "c" })).toThrow(TypeError);
});

test("tokens are not signed with the seed, and their header names nothing of the harness", async () => {
  const issued = async () => {
    const { cluster, call } = createClient();
    using _ = cluster;
    const at = "/api/v1/namespaces/default/serviceaccounts";
    await call("POST", at, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "reader" } });
    const { body } = await call("POST", `${at}/reader/token`, { spec: { expirationSeconds: 3600 } }, false);
    return JSON.parse(body).status.token.split(".") as [string, string, string];
  };
  const [[header, claims, signature], [, again, other]] = [await issued(), await issued()];
  expect(again).toBe(claims);
  expect(other).not.toBe(signature);
  expect(signature).not.toBe(createHmac("sha256", "1").update(`${header}.${claims}`).digest("base64url"));
  expect(JSON.parse(Buffer.from(header, "base64url").toString())).toEqual({
    alg: "HS256",
    kid: expect.stringMatching(/^[\w-]{43}$/),
  });
});

test("a value says what the JSON says", async () => {
  const { cluster, call } = createClient();
  using _ = cluster;
  await call("POST", path, named("a", { k: "é\n" }));
  for (const at of [path, `${path}/a`, `${path}?limit=1`, "/api/v1/nodes", "/apis"]) {
    const [asValue, asText] = [await call("GET", at), await call("GET", at, undefined, false)];
    expect(asValue.value ?? JSON.parse(asValue.body)).toEqual(JSON.parse(asText.body));
  }
  const refused = await call("GET", `${path}/nosuch`);
  expect(refused.status).toBe(404);
  expect(JSON.parse(refused.body).reason).toBe("NotFound");
});
