import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EpisodeRecord, ExperimentRequestInput } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import {
  completion,
  type ScriptedServer,
  type SeenRequest,
  startScriptedServer,
} from "@microremed/llm/testing";
import type { RangeClient } from "@microremed/range-client";
import { type OtlpReceiver, type SeenSpan, startOtlpReceiver } from "@microremed/service-kit/testing";
import { type Stack, startStack } from "@microremed/stack";
import { load } from "js-yaml";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectClient } from "./client.ts";
import { exportedIn, seriesIn } from "./testing/promql.ts";

const key = "sk-canary-77aa01";
const playbook =
  "- hosts: k3s_control_plane\n  gather_facts: false\n  tasks:\n    - shell: echo canary-task\n";

/** Probes, then hands in a playbook. What `dies-once` is asked first it never answers. */
function reply({ body }: SeenRequest, index: number) {
  if (body["model"] === "dies-once" && !vendor.requests.slice(0, index).some(isOf("dies-once"))) {
    return { kind: "silence" as const };
  }
  if (body["model"] === "refuses") return { kind: "body" as const, status: 401, body: "{}" };
  const hasProbed = JSON.stringify(body["messages"]).includes('"tool"');
  return hasProbed
    ? call("print_playbook", { playbook })
    : call("probe_system", { command: "kubectl get pods && echo canary-probe" });
}

function call(name: string, values: object) {
  return completion({ content: "canary-answer", toolCalls: [{ name, arguments: JSON.stringify(values) }] });
}

const isOf = (model: string) => (request: SeenRequest) => request.body["model"] === model;

const resources = new AsyncDisposableStack();
let receiver: OtlpReceiver;
let vendor: ScriptedServer;
let stack: Stack;
let client: RangeClient;

beforeAll(async () => {
  const dir = await mkdtemp(join(tmpdir(), "microremed-traces-"));
  resources.defer(() => rm(dir, { recursive: true, force: true }));
  receiver = resources.use(await startOtlpReceiver());
  vendor = resources.use(await startScriptedServer(reply));
  const variables = {
    CANARY_MODEL_KEY: key,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_BSP_SCHEDULE_DELAY: "100",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  };
  const before = { ...process.env };
  Object.assign(process.env, variables);
  resources.defer(() => {
    for (const name of Object.keys(variables)) delete process.env[name];
    Object.assign(process.env, before);
  });
  const model = { baseUrl: vendor.url, apiKeyEnv: "CANARY_MODEL_KEY" };
  const modelsFile = join(dir, "models.yaml");
  await writeFile(
    modelsFile,
    JSON.stringify({ models: { answers: model, "dies-once": model, refuses: model } }),
  );
  stack = resources.use(
    await startStack({
      clusters: { environments: ["simple-micro"], count: 1, timeScale: 200, seed: 1 },
      // A process of its own, so that it can be killed alone.
      replicas: { remediator: 1 },
      modelsFile,
      log: silentLogger,
    }),
  );
  const { natsUrl: servers, natsUser: user, natsPassword: password } = stack;
  client = resources.use(await connectClient({ servers, user, password }, silentLogger));
});

afterAll(() => resources.disposeAsync());

async function run(request: Omit<ExperimentRequestInput, "environment">): Promise<EpisodeRecord> {
  const reply = await client.submit({ environment: "simple-micro", failures: ["cpu-stress"], ...request });
  if (reply.status === "rejected") throw new Error(JSON.stringify(reply.issues));
  for await (const event of client.events(reply.experimentId, AbortSignal.timeout(600_000))) {
    if (event.type === "experiment-finished") break;
  }
  const { episodes } = await client.experiment(reply.experimentId);
  const [episode] = episodes;
  if (!episode) throw new Error("no episode");
  // The last ones of each service, in its next export.
  await expect
    .poll(() => edges(traceOf(episode)))
    .toEqual(expect.arrayContaining([" > episode", ...edgesOf("restore")]));
  return episode;
}

const isEpisode =
  ({ id }: EpisodeRecord) =>
  (span: SeenSpan) =>
    span.name === "episode" && span.attributes["microremed.episode.id"] === id;

/** Its spans, and those that say that they are its own though they are in another trace. */
function traceOf(episode: EpisodeRecord): SeenSpan[] {
  const { traceId } = receiver.spans.find(isEpisode(episode)) ?? {};
  return receiver.spans.filter(
    (span) => span.traceId === traceId || span.attributes["microremed.episode.id"] === episode.id,
  );
}

/** Lines of `parent > child`, each once, in no order. */
function edges(spans: readonly SeenSpan[]): string[] {
  const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  const lines = spans.map(
    ({ name, parentSpanId }) => `${parentSpanId ? (names.get(parentSpanId) ?? "?") : ""} > ${name}`,
  );
  return [...new Set(lines)].toSorted();
}

async function logLines(): Promise<Record<string, unknown>[]> {
  const texts = await Promise.all(stack.services.map(({ logFile }) => readFile(logFile, "utf8")));
  return texts.flatMap((text) => text.trim().split("\n")).map((line) => JSON.parse(line));
}

function edgesOf(stage: string): string[] {
  return [
    `episode > stage ${stage}`,
    `stage ${stage} > send commands.${stage}`,
    `stage ${stage} > process commands.${stage}`,
    `process commands.${stage} > send results.${stage}`,
    `send results.${stage} > process results.${stage}`,
  ];
}

const wholeTree = [
  " > episode",
  "episode > schedule leased",
  ...["prepare", "inject", "solve", "act", "grade", "restore"].flatMap(edgesOf),
  "process commands.solve > request rpc.probe",
  "request rpc.probe > process rpc.probe",
  "process commands.act > ansible-playbook",
].toSorted();

test("an episode is one trace: its stages, what was done in each, model calls, probes and Ansible", async () => {
  const episode = await run({ model: "answers", method: "ThinkRemed", maxAttempts: 1 });
  expect(episode.outcome).toBe("not-remediated");
  const spans = traceOf(episode);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(edges(spans)).toEqual([...wholeTree, "process commands.solve > chat answers"].toSorted());

  const find = (name: string) => spans.filter((span) => span.name === name);
  expect(find("episode")).toMatchObject([
    { attributes: { "microremed.outcome": "not-remediated", "microremed.failure": "cpu-stress" } },
  ]);
  expect(find("chat answers")).toHaveLength(2);
  expect(find("chat answers")[0]).toMatchObject({
    kind: "client",
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "answers",
      "gen_ai.usage.input_tokens": 100,
      "gen_ai.usage.output_tokens": 20,
    },
    resource: { "service.name": "remediator", "deployment.environment.name": "test" },
  });
  expect(find("ansible-playbook")).toMatchObject([
    { attributes: { "microremed.status": "ok", "process.exit.code": 0 } },
  ]);
  expect(find("process commands.inject")).toMatchObject([
    { kind: "consumer", attributes: { "messaging.system": "nats", "microremed.delivery": 1 } },
  ]);
  const services = new Set(spans.map(({ resource }) => resource["service.name"]));
  expect([...services].toSorted()).toEqual(["executor", "injector", "remediator", "scheduler", "verifier"]);
  for (const secret of [key, "canary-answer", "canary-probe", "canary-task", stack.natsPassword]) {
    expect([secret, receiver.text().includes(secret)]).toEqual([secret, false]);
  }

  const lines = await logLines();
  const joined = lines.filter((line) => line["trace_id"] === spans[0]?.traceId);
  expect(new Set(joined.map(({ service }) => service))).toEqual(services);
  expect(lines.filter((line) => line["episode_id"] === episode.id && !joined.includes(line))).toEqual([]);
  const ids = new Set(spans.map(({ spanId }) => spanId));
  expect(joined.filter((line) => !ids.has(String(line["span_id"])))).toEqual([]);
});

test("a command that is delivered again, after its service was killed, stays in the trace of its episode", async () => {
  const running = run({ model: "dies-once", method: "SoloGen" });
  await expect.poll(() => vendor.requests.some(isOf("dies-once"))).toBe(true);
  process.kill(stack.services.find(({ name }) => name === "remediator")?.pid ?? 0, "SIGKILL");
  const episode = await running;
  expect(episode).toMatchObject({ trial: 1, outcome: "not-remediated" });
  const spans = traceOf(episode);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  const again = spans.filter(({ name }) => name === "process commands.solve");
  expect(again.map(({ attributes }) => attributes["microremed.delivery"])).toEqual([2]);
  const stage = spans.filter(({ name }) => name === "stage solve");
  expect(stage.map(({ spanId }) => spanId)).toEqual([again[0]?.parentSpanId]);
  expect(edges(spans).filter((edge) => edge.startsWith("?"))).toEqual([]);
  expect(edges(spans)).toContain("process commands.solve > chat dies-once");
});

/** Every PromQL expression under a key `expr`. */
function expressionsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "expr" && typeof inner === "string" ? [inner] : expressionsIn(inner),
  );
}

test("dashboard and alerts ask only for what a range exports, by labels that are there", async () => {
  expect(await run({ model: "refuses", method: "SoloGen", timeouts: { outageSeconds: 0 } })).toMatchObject({
    outcome: "harness-error",
  });
  const dir = new URL("../../../../docs/dashboards/", import.meta.url);
  const files = ["microremed.json", "alerts.yaml"].map((name) => readFile(new URL(name, dir), "utf8"));
  const asked = (await Promise.all(files)).map((text) => expressionsIn(load(text)).flatMap(seriesIn));
  expect(asked.map((series) => series.length > 10)).toEqual([true, true]);

  // One of them has been started again since.
  const groups = JSON.parse(await readFile(join(stack.dir, "metrics-targets.json"), "utf8"));
  const addresses: string[] = groups.flatMap(({ targets }: { targets: string[] }) => targets);
  expect(addresses).toHaveLength(stack.services.length);
  const scraped = await Promise.all(
    addresses.map(async (address) => (await fetch(`http://${address}/metrics`)).text()),
  );
  const exported = exportedIn(scraped.join("\n"));
  const missing = asked.flat().flatMap(({ metric, labels }) => {
    const there = exported.get(metric);
    return there
      ? labels.filter((label) => !there.has(label)).map((label) => `${metric}{${label}}`)
      : [metric];
  });
  expect(missing).toEqual([]);
  const ours = [...exported.keys()]
    .filter((name) => name.startsWith("microremed_"))
    .map((name) => name.replace(/_(bucket|sum|count)$/, ""));
  const explained = await readFile(new URL("../observability.md", dir), "utf8");
  expect(ours.filter((name) => !asked.flat().some(({ metric }) => metric.startsWith(name)))).toEqual([]);
  expect(ours.filter((name) => !explained.includes(`\`${name}\``))).toEqual([]);
});
