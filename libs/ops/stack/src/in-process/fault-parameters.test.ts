import { scriptedClient } from "@microremed/llm/testing";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { startInProcessRange } from "./start-in-process-range.ts";
import { playedBy } from "./testing/scripted-range.ts";

const request = { id: "set", environment: "simple-micro", model: "curious", method: "ReAct", maxAttempts: 1 };
const question = { command: "kubectl get stresschaos -o jsonpath='{.items[0].spec.stressors.cpu}'" };
const nothing = "- hosts: all\n  tasks:\n    - ansible.builtin.debug: { msg: nothing }\n";

test("a fault is injected with the request's parameters, which the episode's record has; wrong ones are refused", async () => {
  let said: string | undefined;
  const curious = scriptedClient("curious", ({ messages }) => {
    said = messages.find(({ role }) => role === "tool")?.content;
    return said === undefined ? ["probe_system", question] : ["print_playbook", { playbook: nothing }];
  });
  await using range = await startInProcessRange({
    catalogue: await builtInCatalogue(),
    environments: ["simple-micro"],
    models: playedBy(curious),
  });
  const failures = ["cpu-stress"];
  const wrong = { ...request, failures, parameters: { "cpu-stress": { workers: 99 } } };
  expect(await range.client.submit(wrong)).toMatchObject({
    status: "rejected",
    issues: [{ path: "parameters.cpu-stress.workers" }],
  });
  const parameters = { "cpu-stress": { workers: 7 } };
  expect(await range.client.submit({ ...request, failures, parameters })).toMatchObject({
    status: "accepted",
  });
  for await (const event of range.client.events(request.id, AbortSignal.timeout(600_000))) {
    if (event.type === "experiment-finished") break;
  }
  expect(said).toMatch(/"workers":7/);
  const { experiment, episodes } = await range.client.experiment(request.id);
  expect(experiment.request.parameters).toEqual(parameters);
  expect(episodes[0]?.injection?.verdict).toMatchObject({ oracle: "cpu", passed: true });
});
