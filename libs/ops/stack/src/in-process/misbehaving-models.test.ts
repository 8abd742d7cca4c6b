import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { completion, type ScriptedReply, startScriptedServer } from "@microremed/llm/testing";
import { builtInCatalogue } from "@microremed/registry";
import { createReport, type Report } from "@microremed/scoring";
import { afterAll, expect, test } from "vitest";
import { startInProcessRange } from "./start-in-process-range.ts";

function playbookReply(text: string): ScriptedReply {
  return completion({
    toolCalls: [{ name: "print_playbook", arguments: JSON.stringify({ playbook: text }) }],
  });
}

/** What a model of each name does: the whole of the vendors' misbehaviour that an episode can meet. */
const replies: Record<string, ScriptedReply> = {
  "answers-401": { kind: "body", status: 401, body: '{"error":{"message":"bad key"}}' },
  "answers-429": { kind: "body", status: 429, body: '{"error":{"message":"slow down"}}' },
  "answers-500": { kind: "body", status: 500, body: "oops" },
  silent: { kind: "silence" },
  "cut-short": { kind: "body", body: '{"id":"c","choices":[{"mess' },
  "bad-arguments": completion({ toolCalls: [{ name: "print_playbook", arguments: '{"playbook": ' }] }),
  rubbish: { kind: "body", body: "<html>gateway</html>", contentType: "text/html" },
  "only-talks": completion({ content: "Have you tried turning it off and on again?" }),
  "not-yaml": playbookReply("- hosts: [unclosed"),
  "not-a-playbook": playbookReply("just: a mapping"),
};

const error = (status: number): ScriptedReply => ({
  ...{ kind: "body", status },
  body: '{"error":{"message":"not this one"}}',
});

/** Has read something of the system, as its request shows. */
const hasSeen = (body: Readonly<Record<string, unknown>>): boolean =>
  JSON.stringify(body["messages"]).includes('"role":"tool"');

const stuffing = "x".repeat(500_000);
const answersOf = (body: Readonly<Record<string, unknown>>): number =>
  JSON.stringify(body["messages"]).split('"role":"assistant"').length - 1;

/** Models that fill the record of their episode. */
const filling: Record<string, (body: Readonly<Record<string, unknown>>) => ScriptedReply> = {
  arguments: (body) =>
    completion({
      toolCalls:
        answersOf(body) < 5
          ? [{ name: "get_events", arguments: JSON.stringify({ stuffing }) }]
          : [{ name: "submit", arguments: '{"anomaly":false}' }],
    }),
  answers: () =>
    completion({ toolCalls: [{ name: "submit", arguments: JSON.stringify({ anomaly: stuffing }) }] }),
  calls: () => completion({ toolCalls: Array(3_000).fill({ name: "get_events", arguments: "{}" }) }),
  names: () => completion({ toolCalls: [{ name: stuffing, arguments: stuffing }] }),
};

/** Models that read the system, and then have an error in the place of an answer. */
const declining: Record<string, (body: Readonly<Record<string, unknown>>) => ScriptedReply> =
  Object.fromEntries(
    [400, 503].map((status) => [
      `declines-${status}`,
      (body) =>
        hasSeen(body) ? error(status) : completion({ toolCalls: [{ name: "get_events", arguments: "{}" }] }),
    ]),
  );

const environment = "simple-micro";
const resources = new AsyncDisposableStack();
afterAll(() => resources.disposeAsync());
const dir = await mkdtemp(join(tmpdir(), "microremed-misbehaving-"));
resources.defer(() => rm(dir, { recursive: true, force: true }));
const vendor = resources.use(
  await startScriptedServer(
    ({ body }) =>
      (declining[String(body["model"])] ?? filling[String(body["model"])])?.(body) ??
      replies[String(body["model"])] ?? { kind: "silence" },
  ),
);
const modelsFile = join(dir, "models.yaml");
const entries = Object.keys({ ...replies, ...declining, ...filling }).map((name) => [
  name,
  { baseUrl: vendor.url },
]);
const unreachable = ["endpoint-down", { baseUrl: "http://127.0.0.1:9/v1" }];
await writeFile(modelsFile, JSON.stringify({ models: Object.fromEntries([...entries, unreachable]) }));
const range = resources.use(
  await startInProcessRange({
    catalogue: await builtInCatalogue(),
    environments: [environment],
    clusters: 4,
    env: { MICROREMED_MODELS_FILE: modelsFile },
  }),
);

async function finished(experimentId: string): Promise<Report> {
  for await (const event of range.client.events(experimentId, AbortSignal.timeout(600_000))) {
    if (event.type === "experiment-finished") break;
  }
  const { experiment, episodes } = await range.client.experiment(experimentId);
  return createReport(experiment, episodes);
}

test("a model's misbehaviour is its own outcome, and a vendor's is a harness error", async () => {
  const timeouts = { modelSeconds: 5, recoverySeconds: 60, outageSeconds: 0 };
  const start = async (model: string) => {
    const id = `with-${model.replaceAll("/", "-")}`;
    const request = { id, environment, model, method: "SoloGen", failures: ["cpu-stress"], timeouts };
    expect(await range.client.submit(request)).toMatchObject({ status: "accepted" });
    return id;
  };
  const models = [...Object.keys(replies), "endpoint-down"];
  const ids = await Promise.all([...models.map(start), start("reference/runbook")]);
  const rows = await Promise.all(ids.map(async (id) => (await finished(id)).episodes[0]));
  const outcomes = Object.fromEntries(
    [...models, "reference/runbook"].map((model, i) => [model, rows[i]?.outcome]),
  );
  expect(outcomes).toEqual({
    "answers-401": "harness-error",
    "answers-429": "harness-error",
    "answers-500": "harness-error",
    silent: "harness-error",
    "cut-short": "harness-error",
    "bad-arguments": "not-remediated",
    rubbish: "harness-error",
    "endpoint-down": "harness-error",
    "only-talks": "not-remediated",
    "not-yaml": "not-remediated",
    "not-a-playbook": "not-remediated",
    "reference/runbook": "remediated",
  });
  const codes = Object.fromEntries(models.map((model, i) => [model, rows[i]?.errorCode ?? null]));
  // A provider that has failed three times is asked by one turn at a time; the others only learn that it fails.
  const failing = expect.stringMatching(/^model-(?:overloaded|unreachable)$/);
  expect(codes).toMatchObject({
    "answers-401": "model-refused",
    "answers-429": "model-overloaded",
    "answers-500": "model-overloaded",
    silent: failing,
    "cut-short": "model-garbled",
    rubbish: "model-garbled",
    "endpoint-down": failing,
    "not-yaml": null,
  });
  for (const id of ids) {
    const { episodes } = await range.client.experiment(id);
    expect(episodes.map((record) => [id, record.restored])).toEqual([[id, expect.stringMatching(/^re/)]]);
  }
});

test("a model's endpoint cannot decline what the model has seen: a refusal is no answer, and an outage counts as a failure in the second rate", async () => {
  const timeouts = { modelSeconds: 5, outageSeconds: 0 };
  const decline = async (status: number) => {
    const id = `declines-${status}`;
    const request = { id, environment, model: id, method: "ReAct", task: "detection", failures: ["none"] };
    expect(await range.client.submit({ ...request, timeouts })).toMatchObject({ status: "accepted" });
    const { summary, episodes } = await finished(id);
    return { episode: episodes[0], summary };
  };
  const [refused, away] = await Promise.all([decline(400), decline(503)]);
  expect(refused.episode).toMatchObject({
    outcome: "not-solved",
    reason: expect.stringContaining("refused to go on"),
    probes: 1,
    attempts: 2,
  });
  expect(refused.summary).toMatchObject({ successRate: 0, errorsAsFailures: { hits: 0, of: 1 } });
  expect(away.episode).toMatchObject({
    outcome: "harness-error",
    errorCode: "model-overloaded",
    given: true,
  });
  expect(away.summary).toMatchObject({ successRate: null, errorsAsFailures: { hits: 0, of: 1 } });
});

test("whatever a model fills its record with, the episode ends, and all of it can be read", async () => {
  for (const model of Object.keys(filling)) {
    const id = `fills-${model}`;
    const request = { id, environment, model, method: "ReAct", task: "detection", failures: ["none"] };
    expect(await range.client.submit(request)).toMatchObject({ status: "accepted" });
    const { episodes } = await finished(id);
    expect(episodes).toMatchObject([{ outcome: model === "arguments" ? "solved" : "not-solved" }]);
    const conversation = await range.client.conversation(`${id}.0000`);
    expect(conversation[0]).toMatchObject({ role: "system" });
    if (model === "arguments") {
      const given = conversation.flatMap((one) => (one.role === "assistant" ? one.toolCalls : []));
      expect(given.slice(0, 4).map((call) => call.arguments)).toEqual(
        Array(4).fill(JSON.stringify({ stuffing })),
      );
    }
  }
});
