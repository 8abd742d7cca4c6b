import type http from "node:http";
import { expect, test } from "vitest";
import { kinds } from "../kinds.ts";
import { clusterOver } from "../testing/cluster-over.ts";
import { readsPathOf } from "./read-together.ts";

const some = [kinds.pod, kinds.service, kinds.secret];
const scope = { namespace: "n" };

interface Reply {
  readonly status: number;
  readonly body: object;
}

const list = (path: string): Reply => ({ status: 200, body: { items: [{ metadata: { name: path } }] } });

/** A cluster that answers rounds by `answer`, with what it was asked. */
async function clusterThatReads(
  alone: (path: string) => Reply,
  round: ((paths: readonly string[]) => Reply) | undefined,
) {
  const asked: string[] = [];
  const reply = (response: http.ServerResponse, { status, body }: Reply): void => {
    response.statusCode = status;
    response.end(JSON.stringify(body));
  };
  const over = await clusterOver(async (request, response) => {
    const { method, url = "" } = request;
    asked.push(`${method} ${url.split("?")[0]}`);
    if (url !== "/microremed/reads") return reply(response, alone(url));
    let text = "";
    for await (const chunk of request) text += chunk;
    if (round) reply(response, round(JSON.parse(text).paths));
    else response.destroy();
  }, "/microremed/clock");
  return { asked, cluster: over.cluster, [Symbol.asyncDispose]: () => over[Symbol.asyncDispose]() };
}

const together =
  (answer: (path: string) => Reply) =>
  (paths: readonly string[]): Reply => ({ status: 200, body: { answers: paths.map(answer) } });

test("reads that begin together are one request, each with its own end", async () => {
  const answer = (path: string): Reply =>
    path.includes("secrets")
      ? { status: 403, body: { message: "not yours", reason: "Forbidden" } }
      : list(path);
  await using world = await clusterThatReads(list, together(answer));
  const [pods, services, secrets, none] = await Promise.allSettled([
    ...some.map((kind) => world.cluster.list(kind, scope)),
    world.cluster.get(kinds.configMap, "n", "c"),
  ]);
  expect(pods).toMatchObject({ value: [{ kind: "Pod" }] });
  expect(services).toMatchObject({ value: [{ kind: "Service" }] });
  expect(secrets).toMatchObject({
    reason: {
      code: "cluster-refused",
      severity: "terminal",
      message: "cluster x answered GET /api/v1/namespaces/n/secrets with 403: not yours",
      details: { status: 403, reason: "Forbidden" },
    },
  });
  expect(none).toMatchObject({ status: "fulfilled" });
  expect(world.asked).toEqual(["POST /microremed/reads"]);
});

test("what is not there is absent, as it is alone", async () => {
  const gone = (): Reply => ({ status: 404, body: { message: "gone" } });
  await using world = await clusterThatReads(gone, together(gone));
  const { cluster } = world;
  expect(await Promise.all([cluster.get(kinds.pod, "n", "a"), cluster.list(kinds.pod, scope)])).toEqual([
    undefined,
    [],
  ]);
  expect(world.asked).toHaveLength(1);
});

test("one read, one in another form, and everything that writes is sent as it is", async () => {
  await using world = await clusterThatReads(list, together(list));
  const { cluster } = world;
  await cluster.list(kinds.pod, scope);
  await cluster.list(kinds.pod, scope);
  await Promise.all([
    cluster.table(kinds.pod, scope),
    cluster.logs({ namespace: "n", pod: "p" }),
    cluster.fetchText({ kind: "pods", namespace: "n", name: "p", port: 80 }, "/x"),
    cluster.delete(kinds.pod, "n", "p"),
  ]);
  expect(world.asked).not.toContain("POST /microremed/reads");
  expect(world.asked).toHaveLength(6);
});

test("what the round could not answer is asked alone, and tried again where that may help", async () => {
  for (const status of [400, 413, 429, 500, 503]) {
    const answer = (path: string): Reply =>
      path.includes("pods") ? { status, body: { message: "not now" } } : list(path);
    await using world = await clusterThatReads(list, together(answer));
    const [pods] = await Promise.all(some.map((kind) => world.cluster.list(kind, scope)));
    expect(pods).toHaveLength(1);
    expect(world.asked).toEqual(["POST /microremed/reads", "GET /api/v1/namespaces/n/pods"]);
  }
});

test("a round that fails harms no read", async () => {
  const wrong = [
    undefined,
    () => ({ status: 200, body: {} }),
    () => ({ status: 200, body: { answers: [] } }),
    () => ({ status: 500, body: {} }),
  ];
  for (const round of wrong) {
    await using world = await clusterThatReads(list, round);
    for (let times = 0; times < 2; times++) {
      const lists = await Promise.all(some.map((kind) => world.cluster.list(kind, scope)));
      expect(lists.flat().map(({ kind }) => kind)).toEqual(["Pod", "Service", "Secret"]);
    }
    expect(world.asked.filter((one) => one.startsWith("POST"))).toHaveLength(2);
  }
});

test("a cluster without the path, and a user without a right to it, are not asked again", async () => {
  for (const status of [403, 404, 405]) {
    await using world = await clusterThatReads(list, () => ({ status, body: { message: "no" } }));
    for (let times = 0; times < 2; times++)
      await Promise.all(some.map((kind) => world.cluster.list(kind, scope)));
    expect(world.asked.filter((one) => one.startsWith("POST"))).toHaveLength(1);
    expect(world.asked.filter((one) => one.startsWith("GET"))).toHaveLength(6);
  }
});

test("more than a hundred reads are several rounds", async () => {
  const sizes: number[] = [];
  await using world = await clusterThatReads(list, (paths) => {
    sizes.push(paths.length);
    return together(list)(paths);
  });
  const names = Array.from({ length: 230 }, (_, n) => `p${n}`);
  const pods = await Promise.all(names.map((name) => world.cluster.get(kinds.pod, "n", name)));
  expect(pods).toHaveLength(230);
  expect(sizes.toSorted((a, b) => b - a)).toEqual([100, 100, 30]);
});

test("only an embedded cluster's clock says where reads are answered together", () => {
  expect(readsPathOf("https://127.0.0.1:6443/microremed/clock")).toBe("/microremed/reads");
  expect(readsPathOf("https://127.0.0.1:6443/clock")).toBeUndefined();
  expect(readsPathOf(undefined)).toBeUndefined();
});
