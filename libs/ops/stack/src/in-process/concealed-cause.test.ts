import type { EpisodeRecord, ExperimentRequestInput } from "@microremed/contracts";
import { scriptedClient, type ToolAndArguments } from "@microremed/llm/testing";
import { builtInCatalogue } from "@microremed/registry";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type InProcessRange, startInProcessRange } from "./start-in-process-range.ts";
import { playedBy } from "./testing/scripted-range.ts";

const resources = new AsyncDisposableStack();
let range: InProcessRange;

/** What an agent asks that wants the cause by name instead of by its effects. */
const questions: readonly ToolAndArguments[] = [
  ["probe_system", { command: "kubectl get stresschaos,networkchaos,podchaos,iochaos" }],
  ["probe_system", { command: "kubectl get events -o name" }],
  ["get_events", {}],
];

const nothing = "- hosts: all\n  tasks:\n    - ansible.builtin.debug: { msg: nothing }\n";
/** What the agent of the last episode was answered. */
let said: readonly string[] = [];

/** Asks all of it, one question in each turn, then answers or runs a playbook. */
const curious = scriptedClient("curious", ({ messages, tools = [] }) => {
  said = messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []));
  const canSubmit = tools.some(({ name }) => name === "submit");
  return (
    questions[said.length] ??
    (canSubmit ? ["submit", { anomaly: true }] : ["print_playbook", { playbook: nothing }])
  );
});

beforeAll(async () => {
  range = resources.use(
    await startInProcessRange({
      catalogue: await builtInCatalogue(),
      environments: ["simple-micro"],
      models: playedBy(curious),
    }),
  );
});

afterAll(() => resources.disposeAsync());

async function run(
  request: Partial<ExperimentRequestInput> & { readonly id: string },
): Promise<EpisodeRecord> {
  const asked = {
    environment: "simple-micro",
    model: "curious",
    method: "ReAct",
    maxAttempts: 1,
    ...request,
  };
  expect(await range.client.submit(asked)).toMatchObject({ status: "accepted" });
  for await (const event of range.client.events(request.id, AbortSignal.timeout(600_000))) {
    if (event.type === "experiment-finished") break;
  }
  const [episode] = (await range.client.experiment(request.id)).episodes;
  if (!episode) throw new Error(`experiment ${request.id} has no episode`);
  return episode;
}

test("in a task that may change nothing the agent finds neither the fault's object nor its events", async () => {
  const episode = await run({ id: "asked", task: "detection", failures: ["pod-fail"] });
  expect(episode).toMatchObject({ outcome: "solved", restored: "reset" });
  expect(episode.injection?.concealment).toBe("neutral");
  const [objects, ...events] = said;
  expect(objects).toBe('exit code 1\nerror: the server doesn\'t have a resource type "stresschaos"');
  expect(events).toHaveLength(2);
  for (const text of events) {
    expect(text).toMatch(/(hello|time)-service/);
    expect(text).not.toMatch(/chaos|pod-?fail/i);
  }
});

test("where the agent is to repair, a request without concealment shows both", async () => {
  await run({ id: "repairing", failures: ["cpu-stress"] });
  expect(said).toHaveLength(questions.length);
  for (const text of said) expect(text).toMatch(/chaos|cpu-stress/i);
});
