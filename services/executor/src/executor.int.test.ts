import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bus } from "@microremed/bus";
import { connectNatsBus } from "@microremed/bus/nats";
import {
  ExperimentRequest,
  ProbeReply,
  plannedRecord,
  playbookTool,
  type ResultOf,
  StageResult,
  subjects,
} from "@microremed/contracts";
import { aPlannedEpisode, aRunningExperiment } from "@microremed/contracts/testing";
import { silentLogger } from "@microremed/core";
import { startNatsServer, startRedisServer } from "@microremed/servers";
import type { State } from "@microremed/state";
import { connectRedisState } from "@microremed/state/redis";
import { afterAll, beforeAll, expect, test } from "vitest";

const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());

let bus: Bus;
let state: State;

/** As much of an API server as it takes to mint a token and to see who asks. */
async function startApi(): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const expirationTimestamp = new Date(Date.now() + 8 * 3600_000).toISOString();
    response.writeHead(200, { "content-type": "application/json" });
    if (request.url?.endsWith("/token")) {
      const account = request.url.split("/").at(-2);
      response.end(JSON.stringify({ status: { token: `token-of-${account}`, expirationTimestamp } }));
    } else if (request.method === "GET" && request.url === "/api/v1/namespaces/shop") {
      response.end(JSON.stringify({ metadata: { name: "shop", uid: "shop-1" } }));
    } else if (request.method === "GET") {
      response.end(JSON.stringify({ asked: request.url }));
    } else {
      response.end(Buffer.concat(chunks));
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  stack.defer(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), "microremed-test-"));
  stack.defer(() => rm(dir, { recursive: true }));
  const kubeconfig = join(dir, "kubeconfig");
  await writeFile(
    kubeconfig,
    `{apiVersion: v1, kind: Config, current-context: c, contexts: [{name: c, context: {cluster: c, user: u}}],
clusters: [{name: c, cluster: {server: "${await startApi()}", insecure-skip-tls-verify: true}}], users: [{name: u, user: {token: admin}}]}`,
  );
  const clusters = join(dir, "clusters.yaml");
  await writeFile(clusters, `clusters: [{name: c1, kubeconfig: ${kubeconfig}}]`);
  const nats = stack.use(await startNatsServer());
  const redis = stack.use(await startRedisServer());
  bus = stack.use(await connectNatsBus({ servers: nats.url, name: "test", log: silentLogger }));
  state = stack.use(await connectRedisState({ url: redis.url, log: silentLogger }));
  await bus.ensureStreams();

  const main = join(import.meta.dirname, "main.ts");
  const env = { ...process.env, NATS_URL: nats.url, REDIS_URL: redis.url, CLUSTERS_FILE: clusters };
  const executor = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "inherit"] });
  stack.defer(async () => {
    if (executor.exitCode === null && executor.kill()) await once(executor, "exit");
    expect(executor.exitCode).toBe(0);
  });
  for await (const line of executor.stdout) if (String(line).includes('"ready"')) break;
  executor.stdout.resume();
});

/** Leases the arena to an episode of its own. */
async function leased(id: string) {
  const request = ExperimentRequest.parse({ id, environment: "shop", model: "reference/noop" });
  const record = aRunningExperiment(id, request);
  const episode = plannedRecord(id, aPlannedEpisode());
  await state.experiments.create(record, { wants: "shop@shop", episodes: [episode], messages: [] });
  await state.arenas.register([{ name: "c1", arenas: 1 }]);
  const lease = await state.arenas.leaseNext({ claimMs: 60_000 });
  if (!lease) throw new Error("no arena to lease");
  return {
    experimentId: id,
    episodeId: lease.episodeId,
    trial: 1,
    attempt: 1,
    arena: { cluster: "c1", slot: lease.slot, namespace: "shop", fence: lease.fence },
  };
}

test("runs the playbook of a command, publishes its result, and answers probes", async () => {
  const key = await leased("exp");
  const results: ResultOf<"act">[] = [];
  const options = {
    stream: "RESULTS",
    durable: "test",
    subjects: [subjects.result("act")],
    schema: StageResult,
    concurrency: 1,
  };
  await using _results = await bus.consume(options, async (result) => {
    if (result.stage === "act") results.push(result);
  });
  const playbook = `
- hosts: k3s_control_plane
  gather_facts: false
  tasks:
    - shell: kubectl get --raw /who; kubectl config view --minify -o jsonpath='{..namespace}'
      register: r
    - debug: var=r.stdout
`;
  const command = { ...key, tool: playbookTool, arguments: { playbook }, policy: "open", timeoutSeconds: 30 };
  await bus.publish(subjects.command("act", "c1"), command, { msgId: "first" });
  await expect.poll(() => results.length).toBe(1);
  const body = results[0]?.body;
  expect(body).toMatchObject({ status: "ok", execution: { status: "ok", exitCode: 0 } });
  expect(JSON.stringify(body)).toMatch(/asked.*\/who.*shop/);

  const stored = await state.results.get({ ...key, stage: "act" });
  expect(stored?.body).toEqual(body);

  const probe = {
    episodeId: key.episodeId,
    arena: key.arena,
    probe: { kind: "command", command: "kubectl get --raw /pods" },
    timeoutSeconds: 10,
  };
  const reply = await bus.request(subjects.probe("c1"), probe, { schema: ProbeReply, timeoutMs: 20_000 });
  expect(reply).toEqual({
    status: "ok",
    exitCode: 0,
    output: '{"asked":"/pods"}',
    clusterMs: expect.any(Number),
  });
  const refused = { ...probe, probe: { kind: "command", command: "kubectl delete ns shop" } };
  const refusal = await bus.request(subjects.probe("c1"), refused, { schema: ProbeReply, timeoutMs: 20_000 });
  expect(refusal.status).toBe("refused");
});
