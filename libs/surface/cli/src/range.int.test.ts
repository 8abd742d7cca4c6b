import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ExperimentRequestInput, type RangeEvent, subjects } from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import {
  completion,
  type ScriptedReply,
  type ScriptedServer,
  startScriptedServer,
} from "@microremed/llm/testing";
import type { RangeClient } from "@microremed/range-client";
import { createReport, type Report } from "@microremed/scoring";
import { type Stack, startStack } from "@microremed/stack";
import { connect } from "@nats-io/transport-node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectClient } from "./client.ts";
import { connectionTo } from "./local-stack.ts";
import { saveEpisode } from "./save-episodes.ts";

/** What a model of each name answers. */
const replies: Record<string, ScriptedReply> = {
  "runs-for-ever": playbookReply(playbook("sleep 600")),
  "prints-for-ever": playbookReply(playbook("yes microremed")),
};

function playbook(command: string): string {
  return `- hosts: k3s_control_plane\n  gather_facts: false\n  tasks:\n    - shell: ${command}\n`;
}

function playbookReply(text: string): ScriptedReply {
  return completion({
    toolCalls: [{ name: "print_playbook", arguments: JSON.stringify({ playbook: text }) }],
  });
}

let dir: string;
let vendor: ScriptedServer;
let stack: Stack;
let client: RangeClient;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "microremed-range-"));
  vendor = await startScriptedServer(
    (request) => replies[String(request.body["model"])] ?? { kind: "silence" },
  );
  const models = Object.keys(replies).map((name) => [name, { baseUrl: vendor.url }]);
  const modelsFile = join(dir, "models.yaml");
  await writeFile(modelsFile, JSON.stringify({ models: Object.fromEntries(models) }));
  stack = await startStack({
    clusters: { environments: ["simple-micro"], count: 2, timeScale: 200, seed: 1 },
    modelsFile,
    log: silentLogger,
  });
  client = await connectClient(connectionTo(stack), silentLogger);
});

afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
  await stack?.[Symbol.asyncDispose]();
  await vendor?.[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

async function submit(request: Omit<ExperimentRequestInput, "environment">): Promise<string> {
  const reply = await client.submit({ environment: "simple-micro", ...request });
  if (reply.status === "rejected") throw new Error(JSON.stringify(reply.issues));
  return reply.experimentId;
}

async function finished(experimentId: string): Promise<Report> {
  for await (const event of client.events(experimentId, AbortSignal.timeout(600_000))) {
    if (event.type === "experiment-finished") break;
  }
  const { experiment, episodes } = await client.experiment(experimentId);
  return createReport(experiment, episodes);
}

async function run(request: Omit<ExperimentRequestInput, "environment">): Promise<Report> {
  return finished(await submit(request));
}

test("a saved episode holds what MicroRemed's does and what explains the verdict", async () => {
  const id = await submit({ model: "reference/runbook", failures: ["cpu-stress"] });
  await finished(id);
  const { experiment, episodes } = await client.experiment(id);
  for (const record of episodes)
    await saveEpisode(dir, experiment, record, await client.conversation(record.id));
  const name = (await readdir(dir)).find((file) => file.includes("cpu-stress"));
  const saved = JSON.parse(await readFile(join(dir, name ?? ""), "utf8"));
  expect(saved.metadata).toMatchObject({ failure: "cpu-stress", success: true, model: "reference/runbook" });
  expect(saved.conversation[0]).toMatchObject({ role: "system" });
  expect(saved.injection.verdict).toMatchObject({ passed: true });
  const act = saved.steps.find(({ tool }: { tool: string }) => tool === "run_playbook");
  expect(act.verdict.oracles.length).toBeGreaterThan(0);
  expect(act.result.output).toContain("PLAY RECAP");
});

test("a playbook that does not end, or prints without end, is the model's failure", async () => {
  const timeouts = { playbookSeconds: 5, recoverySeconds: 60 };
  const models = ["runs-for-ever", "prints-for-ever"];
  const start = (model: string) => submit({ model, method: "SoloGen", failures: ["cpu-stress"], timeouts });
  const ids = await Promise.all(models.map(start));
  for (const id of ids) {
    const [row] = (await finished(id)).episodes;
    expect(row).toMatchObject({ outcome: "not-remediated", errorCode: null });
    const { episodes } = await client.experiment(id);
    expect(episodes.map(({ restored }) => restored)).toEqual([expect.stringMatching(/^re/)]);
  }
});

test("a cancelled experiment restores its arenas before it ends", async () => {
  const id = await submit({ model: "reference/noop", failures: Array.from({ length: 8 }, () => "pod-fail") });
  const events: RangeEvent[] = [];
  for await (const event of client.events(id, AbortSignal.timeout(600_000))) {
    events.push(event);
    if (event.type === "episode-advanced" && event.state === "solving") await client.cancel(id);
    if (event.type === "experiment-finished") break;
  }
  expect(events.at(-1)).toMatchObject({ type: "experiment-finished", status: "cancelled" });
  const { episodes } = await client.experiment(id);
  expect(episodes.filter((record) => record.outcome === null)).toEqual([]);
  const injected = episodes.filter((record) => record.injection !== null);
  expect(injected.length).toBeGreaterThan(0);
  for (const record of injected) expect(record.restored).not.toBeNull();
  const next = await run({ model: "reference/runbook", failures: ["cpu-stress"] });
  expect(next.summary.remediated).toBe(1);
});

test("a request by hand, with a bare NATS client: a good one starts, a bad one is answered with every wrong field", async () => {
  const nats = await connect({ servers: stack.natsUrl, user: stack.natsUser, pass: stack.natsPassword });
  try {
    const heard: RangeEvent[] = [];
    nats.subscribe("microremed.events.>", { callback: (_, message) => void heard.push(message.json()) });
    await nats.flush();
    const good = {
      id: "by-hand",
      environment: "simple-micro",
      model: "reference/runbook",
      failures: ["disk-io"],
    };
    nats.publish(subjects.submit, JSON.stringify(good));
    const bad = {
      id: "bad-one",
      environment: "nowhere",
      model: "x",
      seed: -1,
      colour: "red",
      method: "Guess",
    };
    nats.publish(subjects.submit, JSON.stringify(bad));
    nats.publish(subjects.submit, "{ not json");
    const rejections = () => heard.filter((event) => event.type === "experiment-rejected");
    await expect.poll(() => rejections().length).toBe(2);
    const issues = rejections().find((event) => event.experimentId === "bad-one");
    expect(issues).toMatchObject({ type: "experiment-rejected" });
    const paths = issues?.type === "experiment-rejected" ? issues.issues.map((issue) => issue.path) : [];
    expect(paths).toEqual(expect.arrayContaining(["seed", "colour"]));
    expect((await finished("by-hand")).summary).toMatchObject({ total: 1, remediated: 1 });
    await expect(client.experiment("bad-one")).rejects.toThrow("bad-one");
  } finally {
    await nats.close();
  }
});
