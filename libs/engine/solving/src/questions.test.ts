import { defineAgent, defineProbeTool, defineTask, defineTool, z } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { aCommand, aTurn, calls, play, text, unpairedCalls } from "./testing/turn-fixture.ts";

const task = defineTask({
  name: "counting",
  title: "Count the pods",
  mayAct: false,
  answer: z.strictObject({ pods: z.int().describe("how many") }),
  question: () => "How many pods are there?",
  grade: async ({ answer }) => ({ passed: answer.pods === 3, score: 1, parts: {}, reason: "counted" }),
});
const probe = ["probe_system", { command: "kubectl get pods" }] as const;

test("a task with an answer offers submit instead of the playbook, with the answer's schema", async () => {
  const turn = aTurn([calls(probe), calls(["submit", { pods: 3 }])], { task });
  expect(await play("ReAct", turn)).toMatchObject({ status: "submit", answer: { pods: 3 }, probes: 1 });
  const offered = turn.requests[0]?.tools?.at(-1);
  expect(offered).toMatchObject({ name: "submit", parameters: { required: ["pods"] } });
  expect(turn.requests[0]?.tools?.map(({ name }) => name)).not.toContain("print_playbook");
  expect(turn.stored.at(-1)).toMatchObject({ content: "The answer was received." });
  expect(turn.stored[1]?.content).toMatch(/How many pods[\s\S]*"pods":\{"type":"integer"/);
  expect(unpairedCalls(turn.stored)).toEqual([]);
});

test("an answer that does not fit is explained, with the schema, and may be given again", async () => {
  const turn = aTurn([calls(["submit", { pods: "many" }]), calls(["submit", { pods: 2 }])], { task });
  expect(await play("ReAct", turn)).toMatchObject({ status: "submit", answer: { pods: 2 } });
  expect(turn.stored[3]?.content).toMatch(
    /^Error: pods: expected number, received string; the arguments of submit .*"pods"/,
  );
});

test("an answer in text is taken after a reminder, and words alone are no answer", async () => {
  const written = text('There are three.\n```json\n{"pods": 3}\n```');
  const turn = aTurn([written, written], { task, command: aCommand({ feedbackKind: "none" }) });
  expect(await play("ReAct", turn)).toMatchObject({ status: "submit", answer: { pods: 3 }, source: "text" });
  expect(turn.stored[3]?.content).toContain("submit with your answer as its arguments");
  const wordy = aTurn([text("Three."), text("Three!")], { task });
  expect(await play("ReAct", wordy)).toMatchObject({
    status: "nothing",
    reason: expect.stringMatching(/neither a tool call nor an answer in JSON, twice$/),
  });
});

test("an agent is not asked for a task that it can't do", async () => {
  await expect(play("SoloGen", aTurn([], { task }))).rejects.toThrow("can't do the task counting");
});

test("every call that ends nothing is a step: what was asked, what came back, what it cost", async () => {
  const turn = aTurn([
    calls(probe, ["probe_system", "{bad"]),
    calls(["telepathy", {}], ["print_playbook", { playbook: "- hosts: all" }]),
  ]);
  const { observations } = await play("ThinkRemed", turn);
  expect(observations).toEqual([
    {
      kind: "observe",
      tool: "probe_system",
      arguments: { command: "kubectl get pods" },
      result: "exit code 0\noutput of kubectl get pods",
      startedAt: 1000,
      milliseconds: 0,
      usage: expect.objectContaining({ promptTokens: 100 }),
    },
    {
      kind: "observe",
      tool: "probe_system",
      arguments: "{bad",
      result: expect.stringContaining("no valid JSON"),
      startedAt: 1000,
      milliseconds: null,
      usage: null,
    },
    expect.objectContaining({
      tool: "telepathy",
      result: expect.stringContaining("Not run"),
      usage: expect.anything(),
    }),
  ]);
});

test("a tool that is offered to all is offered to every agent that observes, and says what is wrong itself", async () => {
  const own = defineProbeTool({
    name: "get_config",
    description: "Get a ConfigMap.",
    arguments: z.object({ name: z.string() }),
    example: { name: "cart" },
    offeredTo: "all",
    probe: ({ name }) => ({ kind: "command", command: `kubectl get configmap ${name} -o yaml` }),
  });
  const strict = defineTool({
    name: "add_up",
    kind: "observe",
    rights: "none",
    offeredTo: "all",
    description: "Add numbers.",
    arguments: z.object({
      numbers: z.array(z.number()).refine((list) => list.length > 1, "one number is no sum"),
    }),
    example: { numbers: [1, 2] },
    maxResult: 100,
    run: async ({ numbers }) => `${numbers.reduce((a, b) => a + b, 0)}${"!".repeat(1000)}`,
  });
  const more = [own, strict];
  const script = [
    calls(["get_config", { name: "cart" }], ["add_up", { numbers: [1] }], ["add_up", { numbers: [1, 2] }]),
    calls(["print_playbook", { playbook: "- hosts: all" }]),
  ];
  const turn = aTurn(script, { tools: more });
  await play("ThinkRemed", turn);
  expect(turn.probed).toEqual(["kubectl get configmap cart -o yaml"]);
  expect(turn.stored.slice(4, 6).map(({ content }) => content)).toEqual([
    'Error: one number is no sum; the arguments of add_up must be one JSON object like {"numbers":[1,2]}.',
    expect.stringMatching(/^3!+\n\.\.\. \[\d+ characters left out\]/),
  ]);
  const alone = aTurn([calls(["print_playbook", { playbook: "- hosts: all" }])], { tools: more });
  await play("SoloGen", alone);
  expect(alone.requests[0]?.tools?.map(({ name }) => name)).toEqual(["print_playbook"]);
});

test("an agent of one's own needs no more than its opening", async () => {
  const own = defineAgent({
    name: "Terse",
    description: "says little",
    tasks: "all",
    tools: ["get_events"],
    maxAttempts: () => 1,
    solve: ({ loop, situation }) => loop([{ role: "user", content: `${situation}\nRepair it.` }]),
  });
  const turn = aTurn([calls(["get_events", {}]), calls(["print_playbook", { playbook: "- hosts: all" }])], {
    agents: [own],
  });
  expect(await play("Terse", turn)).toMatchObject({ status: "act", tool: "run_playbook" });
  expect(turn.requests[0]?.tools?.map(({ name }) => name)).toEqual(["get_events", "print_playbook"]);
});

test("an agent that opens its second attempt as the first one has failed in it, and the first is not played again", async () => {
  const deaf = defineAgent({
    name: "Deaf",
    description: "does not heed what came of its attempts",
    tasks: "all",
    tools: [],
    maxAttempts: (requested) => requested,
    solve: ({ loop, situation }) => loop([{ role: "user", content: situation }]),
  });
  const first = aTurn([calls(["print_playbook", { playbook: "- hosts: all" }])], { agents: [deaf] });
  await play("Deaf", first);
  const command = aCommand({ attempt: 2, feedback: { execution: "", recovered: false } });
  const second = aTurn([], { agents: [deaf], command, stored: first.stored });
  expect(await play("Deaf", second)).toMatchObject({
    status: "nothing",
    reason: expect.stringMatching(/opens attempt 2 with the words of attempt 1.*lastAttempt/),
  });
});

test("attempts that came to the same are turns of their own, each counted once", async () => {
  const brief = defineAgent({
    name: "Brief",
    description: "is given nothing but what was printed",
    tasks: "all",
    tools: [],
    maxAttempts: (requested) => requested,
    solve: ({ loop, situation, lastAttempt }) =>
      loop([{ role: "user", content: lastAttempt?.execution ?? situation }]),
  });
  const print = calls(["print_playbook", { playbook: "- hosts: all" }]);
  let turn = aTurn([print], { agents: [brief] });
  for (const attempt of [1, 2, 3]) {
    const feedback = attempt === 1 ? null : { execution: "nothing was changed", recovered: false };
    const command = aCommand({ attempt, maxAttempts: 3, feedback });
    turn = aTurn([print], { agents: [brief], command, stored: attempt === 1 ? [] : turn.stored });
    expect(await play("Brief", turn)).toMatchObject({ status: "act", usage: { calls: 1 } });
    expect(turn.requests).toHaveLength(1);
  }
});
