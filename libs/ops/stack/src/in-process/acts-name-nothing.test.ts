import { type AgentContext, defineAgent } from "@microremed/catalogue";
import { shareOf } from "@microremed/catalogue/testing";
import type { EpisodeRecord } from "@microremed/contracts";
import { scriptedClient, type ToolAndArguments } from "@microremed/llm/testing";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { startInProcessRange } from "./start-in-process-range.ts";
import { declaredIn, findings } from "./testing/harness-words.ts";
import { playedBy, withAgent } from "./testing/scripted-range.ts";

const builtIn = await builtInCatalogue();
const { tools } = builtIn;

/** Has every tool with which an agent acts or answers; those that only read have a test of their own. */
const acting = tools
  .all()
  .filter((tool) => tool.kind !== "observe" || tool.acts || tool.name === "exec_shell");
const operator = defineAgent({
  name: "Operator",
  description: "acts by every tool",
  tasks: "all",
  tools: acting.filter(({ kind }) => kind !== "submit").map(({ name }) => name),
  maxAttempts: (requested) => requested,
  solve: (context: AgentContext) =>
    context.loop([
      {
        role: "user",
        content: context.lastAttempt === null ? context.situation : `Attempt ${context.attempt}.`,
      },
    ]),
});
const catalogue = withAgent(builtIn, operator);

/** Shows what the machine has on which it runs, and ends with an error. */
const playbook = `- hosts: localhost
  gather_facts: false
  tasks:
    - shell: pwd; id; env; ls /; kubectl config view; kubectl delete pod missing
`;
const script: readonly ToolAndArguments[] = [
  ["exec_shell", { command: "pwd; id; env; ls / /tmp; kubectl config view; kubectl version" }],
  ["exec_shell", { command: "kubectl create configmap extra --from-literal=a=b; kubectl get all -o wide" }],
  ["exec_shell", { command: "kubectl get configmap extra -o yaml; no-such-program; exit 3" }],
  ["undo_last_action", {}],
  ["undo_last_action", {}],
  ["exec_shell", { nonsense: true }],
  ["print_playbook", { playbook }],
];

/** Plays the script in one episode: what each call was answered, and what the agent reads of its playbook. */
async function play(environment: string) {
  const said: string[] = [];
  const client = scriptedClient("script", ({ messages }) => {
    const calls = messages.filter(({ role }) => role === "assistant").length;
    said.push(...messages.flatMap(({ role, content }) => (role === "assistant" ? [] : [content])));
    return script[calls] ?? ["submit", {}];
  });
  await using range = await startInProcessRange({
    catalogue,
    environments: [environment],
    models: playedBy(client),
  });
  const request = { environment, model: "script", method: operator.name, failures: ["network-loss"] };
  const limits = { concealment: "neutral", report: "none", maxAttempts: 2, feedback: "observation" } as const;
  expect(await range.client.submit({ id: "acts", ...request, ...limits })).toMatchObject({
    status: "accepted",
  });
  for await (const event of range.client.events("acts", AbortSignal.timeout(900_000)))
    if (event.type === "experiment-finished") break;
  const [episode] = (await range.client.experiment("acts")).episodes;
  return { said: [...new Set(said)], episode: episode as EpisodeRecord };
}

/** A whole proof (WHOLE_PROOF=true) takes every environment. */
const some = shareOf(builtIn.environments.all(), builtIn.environments.names.length);

test.each(some)("no answer to a tool that acts names the harness or a fault: $name", async (environment) => {
  const { said, episode } = await play(environment.name);
  const called = episode.steps.map(({ tool }) => tool);
  expect(called).toEqual(expect.arrayContaining(["exec_shell", "undo_last_action", "run_playbook"]));
  const declared = declaredIn(environment);
  expect(said.flatMap((text) => findings("said", text, declared))).toEqual([]);
});
