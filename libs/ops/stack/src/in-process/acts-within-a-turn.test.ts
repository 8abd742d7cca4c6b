import { type AgentContext, defineAgent } from "@microremed/catalogue";
import type { EpisodeRecord } from "@microremed/contracts";
import { scriptedClient, type ToolAndArguments } from "@microremed/llm/testing";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { type InProcessRangeOptions, startInProcessRange } from "./start-in-process-range.ts";
import { playedBy, withAgent } from "./testing/scripted-range.ts";

const operator = defineAgent({
  name: "Operator",
  description: "acts by shell commands, one after the other, until it submits",
  tasks: "all",
  tools: ["exec_shell", "undo_last_action", "wait", "describe"],
  maxAttempts: (requested) => requested,
  solve: (context: AgentContext) =>
    context.loop(
      context.lastAttempt === null
        ? [
            { role: "system", content: "You operate a system." },
            { role: "user", content: context.situation },
          ]
        : [{ role: "user", content: `attempt ${context.attempt}: it is not over` }],
    ),
});

const builtIn = await builtInCatalogue();
const catalogue = withAgent(builtIn, operator);

/** One episode whose agent makes these calls, one in an answer; and what each was answered. */
async function play(script: readonly ToolAndArguments[], request: object) {
  let said: readonly string[] = [];
  const client = scriptedClient("script", ({ messages }) => {
    const answers = messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []));
    if (answers.length > said.length) said = answers;
    return script[messages.filter(({ role }) => role === "assistant").length] ?? ["submit", {}];
  });
  const episode = await run({ model: "script", ...request }, playedBy(client));
  return { episode, said };
}

async function run(request: object, models?: InProcessRangeOptions["models"]): Promise<EpisodeRecord> {
  await using range = await startInProcessRange({
    catalogue,
    environments: ["simple-micro"],
    ...(models && { models }),
  });
  const id = "acts";
  const asked = { id, environment: "simple-micro", model: "nobody", method: "Operator", ...request };
  expect(await range.client.submit(asked)).toMatchObject({ status: "accepted" });
  for await (const event of range.client.events(id, AbortSignal.timeout(600_000)))
    if (event.type === "experiment-finished") break;
  const [episode] = (await range.client.experiment(id)).episodes;
  return episode as EpisodeRecord;
}

const shell = (command: string): ToolAndArguments => ["exec_shell", { command }];
const limits =
  "kubectl get deployment hello-service -o jsonpath='{.spec.template.spec.containers[0].resources.limits.memory}'";

test("commands act one after the other, with the objects before them in the record, and are undone in reverse", async () => {
  const { episode, said } = await play(
    [
      shell("kubectl get deployments -o name"),
      shell("kubectl scale deployment hello-service --replicas=2"),
      shell(
        "kubectl annotate service hello-service note=first && kubectl annotate service hello-service other=second",
      ),
      ["undo_last_action", {}],
      shell("kubectl get service hello-service -o jsonpath='{.metadata.annotations}'"),
      ["undo_last_action", {}],
      shell("kubectl get deployment hello-service -o jsonpath='{.spec.replicas}'"),
      ["undo_last_action", {}],
      shell("kubectl scale deployment nobody --replicas=2"),
      ["wait", { seconds: 30 }],
      ["submit", {}],
    ],
    { failures: ["none"], maxAttempts: 1 },
  );
  expect(said[0]).toContain("deployment.apps/hello-service");
  expect(said[1]).toMatch(/^exit code 0\n.*scaled/);
  expect(said[2]).toMatch(/^exit code 0\n.*annotated/);
  expect(said[3]).toMatch(/^exit code 0\nservice\/hello-service put back/);
  expect(said[4]).not.toMatch(/first/);
  expect(said[5]).toMatch(/deployment\/hello-service put back/);
  expect(said[6]).toMatch(/^exit code 0\n1$/);
  expect(said[7]).toMatch(/There is nothing to undo/);
  expect(said[8]).toMatch(/^exit code 1\n.*not found/);
  expect(said[9]).toMatch(/30 s have passed/);
  expect(episode).toMatchObject({ outcome: "remediated", restored: "reset" });
  const acts = episode.steps.filter((step) => step.kind === "act");
  expect(acts.map(({ tool, goesOn, attempt }) => [tool, goesOn, attempt])).toEqual([
    ["exec_shell", true, 1],
    ["exec_shell", true, 1],
    ["undo_last_action", true, 1],
    ["undo_last_action", true, 1],
    ["undo_last_action", true, 1],
    ["exec_shell", true, 1],
  ]);
  expect(acts[0]?.changed).toMatchObject([
    { kind: "Deployment", name: "hello-service", before: { spec: { replicas: 1 } } },
  ]);
  expect(acts[1]?.changed).toMatchObject([{ kind: "Service", name: "hello-service" }]);
  expect(acts.at(-1)?.changed).toEqual([]);
  // Each call is in the record once.
  expect(episode.steps.map(({ kind }) => kind).filter((kind) => kind === "observe")).toHaveLength(4);
  expect(episode.steps.at(-1)).toMatchObject({ kind: "submit", result: { passed: true }, attempt: 1 });
});

test("what was done is measured when the agent submits; after a failure the next attempt begins with that", async () => {
  const { episode, said } = await play(
    [
      shell(limits),
      shell("kubectl annotate deployment hello-service seen=yes"),
      ["submit", {}],
      shell("kubectl rollout undo deployment hello-service"),
      ["wait", { seconds: 60 }],
      ["submit", {}],
    ],
    { failures: ["pod-config-error"], target: "hello-service", maxAttempts: 2 },
  );
  expect(said[0]).toMatch(/^exit code 0/);
  const ends = episode.steps.filter((step) => step.kind === "submit");
  expect(ends.map(({ attempt, result }) => [attempt, result?.passed])).toEqual([
    [1, false],
    [2, true],
  ]);
  expect(episode.outcome).toBe("remediated");
});

test.each([
  ["reference/runbook", "remediated", 1],
  ["reference/noop", "not-remediated", 0],
] as const)("%s repairs by the shell as it does by a playbook: %s", async (model, outcome, acts) => {
  const episode = await run({ model, failures: ["cpu-stress"], maxAttempts: 1 });
  expect(episode).toMatchObject({ outcome, restored: "reset" });
  expect(episode.steps.filter(({ kind }) => kind === "act")).toHaveLength(acts);
  const question = { model, failures: ["none"], task: "detection", maxAttempts: 1 };
  expect(await run(question)).toMatchObject({ outcome: "solved" });
});

test("where nothing may be changed a command that writes is refused, and nothing is undone", async () => {
  const { episode, said } = await play(
    [
      shell("kubectl scale deployment hello-service --replicas=0"),
      ["undo_last_action", {}],
      ["submit", { anomaly: false }],
    ],
    { failures: ["none"], task: "detection", maxAttempts: 1 },
  );
  expect(said[0]).toMatch(/^refused, not run: Probes only read/);
  expect(said[1]).toMatch(/there is no tool "undo_last_action"/);
  expect(episode).toMatchObject({ outcome: "solved" });
  expect(episode.steps.filter(({ kind }) => kind === "act")).toEqual([]);
});
