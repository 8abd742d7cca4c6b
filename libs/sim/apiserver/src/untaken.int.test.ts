import { once } from "node:events";
import type { ClientRequest, IncomingMessage } from "node:http";
import { request } from "node:https";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { startTestApi } from "./testing/test-api.ts";

const configMaps = "/api/v1/namespaces/shop/configmaps";

test("a user that leaves large answers unread gets no more of them until it has read some", async () => {
  await using cluster = await startTestApi();
  const { api, kubectl } = cluster;
  await kubectl("create", "namespace", "shop");
  await kubectl("create", "serviceaccount", "agent", "-n", "shop");
  const role = "--clusterrole=edit";
  await kubectl("create", "rolebinding", "agent", role, "--serviceaccount=shop:agent", "-n", "shop");
  const { token } = api.issueServiceAccountToken({ namespace: "shop", name: "agent", seconds: 3600 });
  const open: ClientRequest[] = [];
  const send = async (
    method: string,
    { body, bearer = token, query = "" }: { body?: object; bearer?: string; query?: string } = {},
  ): Promise<IncomingMessage> => {
    const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
    const sent = request(`${api.url}${configMaps}${query}`, { method, headers, ca: api.caPem, agent: false });
    sent.on("error", () => {});
    open.push(sent);
    sent.end(body && JSON.stringify(body));
    const [response] = await once(sent, "response");
    return response;
  };
  const data = { text: "x".repeat(950_000) };
  for (let index = 0; index < 30; index++) {
    const made = await send("POST", { body: { metadata: { name: `large-${index}` }, data } });
    expect(made.statusCode).toBe(201);
    await text(made);
  }

  // Never read: what has come of it waits in the sockets.
  const watch = "?watch=1";
  const unread = [await send("GET"), await send("GET", { query: watch })];
  expect(unread.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  for (const query of ["", watch]) {
    const refused = await send("GET", { query });
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "1"]);
    expect(JSON.parse(await text(refused)).reason).toBe("TooManyRequests");
  }
  expect((await send("GET", { bearer: api.adminToken })).statusCode).toBe(200);

  const [first] = unread;
  expect((await text(first as IncomingMessage)).length).toBeGreaterThan(28_000_000);
  await expect.poll(async () => (await send("GET")).statusCode, { timeout: 10_000 }).toBe(200);
  for (const sent of open) sent.destroy();
});
