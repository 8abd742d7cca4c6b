import { setImmediate as nextTurn } from "node:timers/promises";
import { type AgentContext, defineAgent, defineTask, type Solution, z } from "@microremed/catalogue";
import { Budgets, Execution, type ProbeReply } from "@microremed/contracts";
import { expect, test } from "vitest";
import { aCommand, aTurn, calls, play, playbook, text, unpairedCalls } from "./testing/turn-fixture.ts";

const counting = defineTask({
  name: "counting",
  title: "Count the pods",
  mayAct: false,
  answer: z.strictObject({ pods: z.int() }),
  question: () => "How many pods are there?",
  grade: async () => ({ passed: true, score: 1, parts: {}, reason: "counted" }),
});

const coded = (solve: (context: AgentContext) => Promise<Solution>, code = true) =>
  defineAgent({
    name: "Coded",
    description: "decides by its own code",
    tasks: "all",
    tools: ["probe_system", "get_events"],
    code,
    maxAttempts: (requested) => requested,
    solve,
  });

const probe = (command: string) => ["probe_system", { command }] as const;

test("code calls tools as a model does: with steps, limits and messages, and gets the whole answer", async () => {
  const output = "x".repeat(20_000);
  const agent = coded(async ({ call, submit }) => {
    const [pods, events] = await Promise.all([call(...probe("kubectl get pods")), call("get_events")]);
    expect(pods).toEqual({ ran: true, exitCode: 0, text: output });
    return submit({ pods: events.text.length - output.length });
  });
  const turn = aTurn([], {
    agents: [agent],
    task: counting,
    probeReply: { status: "ok", exitCode: 0, output },
  });
  const solution = await play("Coded", turn);
  expect(solution).toMatchObject({ status: "submit", answer: { pods: 0 }, probes: 2, usage: { calls: 0 } });
  expect(solution.observations).toMatchObject([
    { tool: "probe_system", arguments: { command: "kubectl get pods" }, usage: null },
    { tool: "get_events", arguments: {} },
  ]);
  expect(turn.probed).toEqual(["kubectl get pods", '{"kind":"events"}']);
  expect(turn.stored[0]).toMatchObject({
    role: "user",
    attempt: 1,
    content: expect.stringContaining("How many"),
  });
  expect(turn.stored.at(-1)).toMatchObject({ content: "The answer was received." });
  expect(unpairedCalls(turn.stored)).toEqual([]);
  expect(turn.requests).toEqual([]);
});

test("wherever a turn of code dies, its redelivery goes on there and asks nothing twice", async () => {
  const agent = coded(async ({ call, act, random }) => {
    const first = await call(...probe("a"));
    const drawn = await call(...probe(`${first.text} ${random.int(1000)}`));
    return act("run_playbook", { playbook: `# ${drawn.text}\n${playbook}` });
  });
  const whole = aTurn([], { agents: [agent] });
  const expected = await play("Coded", whole);
  expect(expected).toMatchObject({ status: "act", tool: "run_playbook", probes: 2 });
  for (let length = 0; length <= whole.stored.length; length++) {
    const resumed = aTurn([], { agents: [agent], stored: whole.stored.slice(0, length) });
    expect(await play("Coded", resumed)).toEqual(expected);
    expect(resumed.stored).toEqual(whole.stored);
    const answered = whole.stored.slice(0, length).filter(({ role }) => role === "tool").length;
    expect(resumed.probed).toHaveLength(Math.max(0, 2 - answered));
  }
});

test("code that does something else the second time has failed, and the reason has both calls", async () => {
  let times = 0;
  const agent = coded(async ({ call, stop }) => {
    await call(...probe(`kubectl ${times++}`));
    return stop("enough");
  });
  const { stored } = await playedWith(agent);
  expect((await playedWith(agent, stored)).solution).toMatchObject({
    status: "nothing",
    reason: expect.stringMatching(/does not repeat itself.*kubectl 0.*kubectl 1/),
  });
});

async function playedWith(agent: ReturnType<typeof coded>, stored: ReturnType<typeof aTurn>["stored"] = []) {
  const turn = aTurn([], { agents: [agent], stored });
  return { stored: turn.stored, solution: await play("Coded", turn) };
}

test("a turn ends: calls that its code makes later are refused and logged, and reach neither arena, model nor record", async () => {
  const later: (() => Promise<unknown>)[] = [];
  const inFlight = Promise.withResolvers<void>();
  const agent = coded(async ({ call, submit, stop, loop, consult }) => {
    const opening = [{ role: "user", content: "go on" }] as const;
    later.push(
      () => call(...probe("late")),
      () => submit({ pods: 1 }),
      () => stop("late"),
    );
    const silent = [() => loop(opening), () => consult({ name: "aside", opening })];
    later.push(() => Promise.race([...silent.map((ask) => ask()), inFlight.promise.then(() => "silent")]));
    void call(...probe("queued"));
    throw new Error("enough");
  });
  const logged: unknown[] = [];
  const turn = aTurn([text("a model's answer")], { agents: [agent], task: counting });
  const log = { ...turn.log, warn: (fields: unknown) => logged.push(fields) };
  await play("Coded", { ...turn, log });
  const [stored, probed] = [[...turn.stored], [...turn.probed]];
  const [called, submitted, stopped] = await Promise.all(later.slice(0, 3).map((make) => make()));
  expect(called).toEqual({ ran: false, exitCode: null, text: "Not run: the turn is over." });
  expect([submitted, stopped]).toMatchObject([{ status: "nothing" }, { status: "nothing" }]);
  const silent = later[3]?.();
  inFlight.resolve();
  expect(await silent).toBe("silent");
  expect([turn.stored, turn.probed, turn.requests]).toEqual([stored, probed, []]);
  expect(logged).toContainEqual({
    ...{ episodeId: "exp-1.0003", attempt: 1 },
    ...{ call: "probe_system", refused: true },
  });
});

test("a turn is not over while its arena is being asked", async () => {
  const asked = Promise.withResolvers<ProbeReply>();
  const agent = coded(async ({ call }) => {
    void call(...probe("slow"));
    await nextTurn();
    throw new Error("enough");
  });
  const turn = aTurn([], { agents: [agent] });
  let isOver = false;
  const played = play("Coded", { ...turn, ask: () => asked.promise }).then(() => {
    isOver = true;
  });
  for (let turns = 0; turns < 20; turns++) await nextTurn();
  expect(isOver).toBe(false);
  asked.resolve({ status: "ok", exitCode: 0, output: "" });
  await played;
});

test("what was asked wrongly or beyond a limit is not run, and the answer says why", async () => {
  const answers: string[] = [];
  const agent = coded(async ({ call, stop }) => {
    for (const command of ["", "a", "b", "c", "d"]) {
      const { ran, text } = await call(...probe(command));
      answers.push(ran ? "ran" : text);
    }
    return stop("nothing was found");
  });
  const { solution } = await playedWith(agent);
  expect(solution).toMatchObject({ status: "nothing", reason: "nothing was found", probes: 3 });
  expect(answers).toEqual([
    expect.stringContaining("must be one JSON object like"),
    ...["ran", "ran", "ran"],
    "Not run: all 3 probes of this attempt are used. Call print_playbook now.",
  ]);
});

test.each([
  [aCommand({ budgets: Budgets.parse({ probeRounds: 5 }), maxProbes: 50 }), "probeRounds", 5],
  [aCommand({ maxProbes: 0, budgets: Budgets.parse({ probeRounds: 1000 }) }), undefined, 0],
])("code that never ends is ended by what it may use up", async (command, exhausted, ran) => {
  const agent = coded(async ({ call }) => {
    for (;;) await call(...probe("again"));
  });
  const turn = aTurn([], { agents: [agent], command });
  expect(await play("Coded", turn)).toMatchObject({
    status: "nothing",
    probes: ran,
    ...(exhausted && { exhausted }),
  });
  expect(unpairedCalls(turn.stored)).toEqual([]);
});

test("an answer that does not fit is none, and neither is a tool that the agent does not have, or the task", async () => {
  const wrong = aTurn([], { agents: [coded(({ submit }) => submit({ pods: "many" }))], task: counting });
  expect(await play("Coded", wrong)).toMatchObject({
    status: "nothing",
    reason: expect.stringMatching(/^submit was called wrongly\. Error: .*"pods"/),
  });
  const foreign = aTurn([], { agents: [coded(({ call }) => call("get_logs").then(() => Promise.reject()))] });
  expect(await play("Coded", foreign)).toMatchObject({
    status: "nothing",
    reason: expect.stringMatching(/"get_logs", which is not among its `tools`: probe_system/),
  });
  const acts = aTurn([], { agents: [coded(({ act }) => act("run_playbook", { playbook }))], task: counting });
  expect(await play("Coded", acts)).toMatchObject({
    status: "nothing",
    reason: expect.stringContaining(
      'does not end with "run_playbook": end its turns with submit(...) (answer)',
    ),
  });
});

test("a later attempt begins with what came of the one before", async () => {
  const agent = coded(({ act }) => act("run_playbook", { playbook }));
  const first = await playedWith(agent);
  const command = aCommand({ attempt: 2, feedback: { execution: "it failed", recovered: false } });
  const turn = aTurn([], { agents: [agent], stored: first.stored, command });
  expect(await play("Coded", turn)).toMatchObject({ status: "act", probes: 0 });
  expect(turn.stored[3]).toMatchObject({
    attempt: 2,
    content: expect.stringMatching(/^# Attempt 2[\s\S]*it failed/),
  });
});

test("an agent with a model may call tools by itself first, beside the model's conversation", async () => {
  const agent = coded(async ({ call, loop }) => {
    const pods = await call(...probe("kubectl get pods"));
    return loop([{ role: "user", content: `# Failure report\nSeen: ${pods.text}` }]);
  }, false);
  const script = [calls(probe("b")), text("hm"), calls(["print_playbook", { playbook }])];
  const whole = aTurn(script, { agents: [agent] });
  const solution = await play("Coded", whole);
  expect(solution).toMatchObject({ status: "act", probes: 2, usage: { calls: 3 } });
  expect(solution.observations.map(({ arguments: given }) => given)).toEqual([
    { command: "kubectl get pods" },
    { command: "b" },
  ]);
  expect(whole.requests[0]?.messages).toHaveLength(1);
  expect(whole.requests[0]?.messages[0]?.content).toContain("Seen: output of kubectl get pods");
  for (const length of [2, 3, 4, 5, 6]) {
    const stored = whole.stored.slice(0, length);
    const asked = stored.filter((message) => message.role === "assistant" && message.usage).length;
    const resumed = aTurn(script.slice(asked), { agents: [agent], stored });
    expect(await play("Coded", resumed)).toEqual(solution);
    expect(resumed.stored).toEqual(whole.stored);
  }
});

test("code acts in the middle of its turn: the turn is delivered again with what came of it", async () => {
  const agent = defineAgent({
    ...coded(async ({ call, submit }) => {
      const seen = await call(...probe("a"));
      const done = await call("exec_shell", { command: "kubectl rollout restart deployment/cart" });
      const after = await call(...probe(`${seen.text} ${done.exitCode} ${done.text}`));
      expect(after.text).not.toBe("");
      return submit();
    }),
    tools: ["probe_system", "exec_shell"],
  });
  const probeReply = (what: string): ProbeReply =>
    what.startsWith("kubectl rollout")
      ? { status: "refused", exitCode: null, output: "it does not only read" }
      : { status: "ok", exitCode: 0, output: `output of ${what}` };
  const begun = aCommand({ maxProbes: 10 });
  const first = aTurn([], { agents: [agent], command: begun, probeReply });
  const acted = await play("Coded", first);
  expect(acted).toMatchObject({ status: "act", tool: "exec_shell", goesOn: true, probes: 1 });
  // All that is left of the episode's budget.
  const [acting] = [acted].flatMap((one) => (one.status === "act" ? [one] : []));
  expect(acting?.atMostSeconds).toBe(begun.budgets.seconds);
  const execution = { status: "ok", exitCode: 0, output: "restarted", wallSeconds: 1 } as const;
  const command = aCommand({
    attempt: 2,
    attemptNumber: 1,
    maxProbes: 10,
    acted: { number: 1, execution: Execution.parse(execution) },
  });
  const second = aTurn([], { agents: [agent], command, probeReply, stored: first.stored });
  expect(await play("Coded", second)).toMatchObject({ status: "done", probes: 1 });
  expect(second.probed).toEqual(["output of a 0 restarted"]);
  expect(unpairedCalls(second.stored)).toEqual([]);
});
