import { type EpisodeRecord, endSteps } from "@microremed/contracts";
import { scriptedClient } from "@microremed/llm/testing";
import { builtInCatalogue } from "@microremed/registry";
import { createReport } from "@microremed/scoring";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type InProcessRange, startInProcessRange } from "./start-in-process-range.ts";
import { playedBy } from "./testing/scripted-range.ts";

const environment = "simple-micro";
const target = "hello-service";
const resources = new AsyncDisposableStack();
let range: InProcessRange;
/** The answers of the next episode in their order, and the prompts that they were given to. */
let answers: Record<string, unknown>[] = [];
let asked: string[] = [];
let systemPrompts: number[] = [];

/** Hands in the given answers; where there is nothing to submit, it makes the workload's pods as they were. */
const scripted = scriptedClient("scripted", ({ messages, tools = [] }) => {
  const prompts = messages.filter(({ role }) => role === "user");
  asked.push(String(prompts.at(-1)?.content));
  systemPrompts.push(messages.filter(({ role }) => role === "system").length);
  if (tools.some(({ name }) => name === "print_playbook")) return ["print_playbook", { playbook }];
  return ["submit", answers.shift() ?? {}];
});

const playbook = `- hosts: k3s_control_plane
  gather_facts: false
  tasks:
    - ansible.builtin.shell: kubectl -n ${environment} rollout undo deployment/${target} && kubectl -n ${environment} rollout status deployment/${target} --timeout=120s
`;

beforeAll(async () => {
  const catalogue = await builtInCatalogue();
  range = resources.use(
    await startInProcessRange({
      catalogue,
      environments: [environment],
      models: playedBy(scripted),
    }),
  );
});

afterAll(() => resources.disposeAsync());

async function run(id: string, given: Record<string, unknown>[]) {
  answers = given;
  asked = [];
  systemPrompts = [];
  const request = {
    id,
    environment,
    target,
    task: "cycle",
    model: "scripted",
    method: "ReAct",
    thinkTime: "zero",
  } as const;
  const accepted = await range.client.submit({ ...request, failures: ["pod-config-error"], maxAttempts: 1 });
  expect(accepted).toMatchObject({ status: "accepted" });
  for await (const event of range.client.events(id, AbortSignal.timeout(600_000))) {
    if (event.type === "experiment-finished") break;
  }
  const { experiment, episodes } = await range.client.experiment(id);
  const [episode] = episodes;
  if (!episode) throw new Error("the experiment has no episode");
  return { episode, report: createReport(experiment, episodes) };
}

const cause = {
  object: { kind: "Deployment", name: target },
  field: "spec.template.spec.containers[0].resources.limits",
  wrong: "cpu 2m, memory 200Mi",
  right: "cpu 500m, memory 2000Mi",
  mechanism: "resources-too-small",
  system_level: "Virtualization",
  fault_type: "Misconfiguration",
};
const right = () => [{ anomaly: true }, { objects: [cause.object] }, { causes: [cause] }];
const gradesIn = ({ steps }: EpisodeRecord) =>
  endSteps(steps).map((step) => [step.task, step.kind === "act" ? step.grade?.score : step.result?.score]);

test("who knows the truth is right in every task of a cycle, in one conversation on one incident", async () => {
  const { episode, report } = await run("right-answers", right());
  expect(gradesIn(episode)).toEqual([
    ["detection", 1],
    ["localization", 1],
    ["analysis", 1],
    ["mitigation", 1],
  ]);
  expect(episode).toMatchObject({ task: "cycle", outcome: "solved", restored: "reset" });
  // One system prompt, and every question is another message of the same conversation.
  expect(new Set(systemPrompts)).toEqual(new Set([1]));
  expect(asked).toHaveLength(4);
  expect(asked[1]).toContain("Say which Kubernetes objects");
  expect(asked.join("\n")).not.toMatch(/pod-config-error|resources-too-small is|right answer/);
  const [row] = report.episodes;
  const seconds = row?.tasks.map((task) => task.seconds ?? Number.NaN) ?? [];
  expect(seconds).toHaveLength(4);
  expect(seconds).toEqual(seconds.toSorted((a, b) => a - b));
  expect(row).toMatchObject({ score: 1 });
});

test("a wrong answer is a grade, and the next task is asked", async () => {
  const { episode, report } = await run("wrong-answers", [
    { anomaly: false },
    { objects: [] },
    { causes: [cause] },
  ]);
  expect(gradesIn(episode)).toEqual([
    ["detection", 0],
    ["localization", 0],
    ["analysis", 1],
    ["mitigation", 1],
  ]);
  expect(episode).toMatchObject({ outcome: "not-solved" });
  expect(report.groups[0]?.summary.tasks.map(({ task, passed }) => [task, passed])).toEqual([
    ["detection", 0],
    ["localization", 0],
    ["analysis", 1],
    ["mitigation", 1],
  ]);
});
