import { type AgentContext, defineAgent, defineTask, type Solution, z } from "@microremed/catalogue";
import { Budgets } from "@microremed/contracts";
import { retryable, silentLogger, terminal } from "@microremed/core";
import { expect, test } from "vitest";
import { createAgentRun } from "./run-agent.ts";
import { aCommand, aTurn, calls, play, text, unpairedCalls } from "./testing/turn-fixture.ts";

const detecting = defineTask({
  name: "detecting",
  title: "Is something wrong?",
  mayAct: false,
  answer: z.strictObject({ anomaly: z.boolean() }),
  question: () => "Is something wrong?",
  grade: async () => ({ passed: true, score: 1, parts: {}, reason: "said" }),
});

type Solve = (context: AgentContext) => Promise<Solution>;
const agent = (solve: Solve, code = true) =>
  defineAgent({
    name: "Bad",
    description: "does what is wrong",
    tasks: "all",
    tools: ["probe_system"],
    code,
    maxAttempts: (requested) => requested,
    solve,
  });

test("an error of a lent function that only comes through the code is not logged as one of the code", async () => {
  const lines: string[] = [];
  const log = { ...silentLogger, warn: (_: object, message: string) => void lines.push(message) };
  const run = createAgentRun({ method: "Bad", episodeId: "exp-1.0000", seconds: 60, log });
  const given = terminal("arena-given-back", "others wait");
  const loop = run.lendEnd(() => Promise.reject(given));
  await expect(run.run(() => loop())).rejects.toBe(given);
  expect(lines).toEqual([]);
  const own = createAgentRun({ method: "Bad", episodeId: "exp-1.0000", seconds: 60, log });
  expect(await own.run(() => Promise.reject(new Error("mine")))).toMatchObject({ status: "nothing" });
  expect(lines).toEqual(["the agent's code failed: mine"]);
});

const readPods = ["probe_system", { command: "kubectl get pods" }] as const;
/** What an agent's code gives where something else is expected. */
const junk = (value: unknown) => value as never;

function circular(): never {
  const a: Record<string, unknown> = {};
  a["a"] = a;
  return junk(a);
}

function deep(): never {
  let a: unknown = "x";
  for (let i = 0; i < 200_000; i++) a = { a };
  return junk(a);
}

const throwing = (): never => {
  throw new Error("no json of mine");
};

const wrongs: Readonly<Record<string, Solve>> = {
  "throws an error": () => Promise.reject(new Error("too hard for me")),
  "throws words": () => Promise.reject("no"),
  "throws null": () => Promise.reject(null),
  "throws what has no words": () => Promise.reject({ toString: throwing }),
  "throws an error of the harness's": () => Promise.reject(retryable("cluster-unreachable", "not mine")),
  "throws at once": () => throwing(),
  "resolves to nothing": async () => junk(undefined),
  "resolves to an error of the harness's": async () => junk({ status: "harness-error" }),
  "makes an answer of its own": async () =>
    junk({ status: "submit", answer: { anomaly: true }, source: "tool-call" }),
  "makes an action of its own": async () =>
    junk({ status: "act", tool: "run_playbook", arguments: {}, goesOn: true, source: "tool-call" }),
  "resolves to what throws when read": async () => junk(new Proxy({}, { get: throwing })),
  "calls an unknown tool": ({ call }) => call("no_such_tool").then(junk),
  "calls something that is no name": ({ call }) => call(junk({})).then(junk),
  "acts where nothing may be changed": ({ act }) => act("run_playbook", { playbook: "" }),
  "asks a model that it does not have": ({ loop }) => loop([{ role: "user", content: "hi" }]),
  "asks it once": ({ once }) => once([{ role: "user", content: "hi" }]),
  "consults it": ({ consult }) =>
    consult({ name: "a", opening: [{ role: "user", content: "hi" }] }).then(junk),
  "submits a BigInt": ({ submit }) => submit({ anomaly: junk(1n) }),
  "submits a circle": ({ submit }) => submit(circular()),
  "submits what throws as JSON": ({ submit }) => submit({ toJSON: throwing }),
  "submits what is too deep": ({ submit }) => submit(deep()),
  "submits what is too large": ({ submit }) => submit({ anomaly: true, x: "y".repeat(20_000_000) }),
  "submits nothing": ({ submit }) => submit(junk(undefined)),
  "submits null": ({ submit }) => submit(junk(null)),
  "submits words": ({ submit }) => submit(junk("yes")),
  "submits a list": ({ submit }) => submit(junk([1, 2, 3])),
  "stops with a number": ({ stop }) => stop(junk(5)),
  "stops without a word": ({ stop }) => stop(junk(undefined)),
  "stops with ten megabytes": ({ stop }) => stop("x".repeat(10_000_000)),
};

test.each(Object.entries(wrongs))("code that %s has failed, with what it saw", async (_, wrong) => {
  const solve: Solve = async (context) => {
    await context.call(...readPods);
    return wrong(context);
  };
  const turn = aTurn([], { agents: [agent(solve)], task: detecting });
  const solution = await play("Bad", turn);
  expect(solution).toMatchObject({ status: "nothing", reason: expect.stringMatching(/./), probes: 1 });
  expect(solution.observations).toHaveLength(1);
  expect(JSON.stringify(solution).length).toBeLessThan(10_000);
  expect(unpairedCalls(turn.stored)).toEqual([]);
});

test("arguments that are no JSON, or too large, are answered as wrong ones are", async () => {
  const answers: string[] = [];
  const solve: Solve = async ({ call, submit }) => {
    for (const args of [junk(1n), circular(), { toJSON: throwing }, deep(), junk(null), junk([1])])
      answers.push((await call("probe_system", args)).text);
    answers.push((await call("probe_system", { command: "y".repeat(20_000_000) })).text);
    return submit({ anomaly: true });
  };
  const turn = aTurn([], { agents: [agent(solve)], task: detecting });
  expect(await play("Bad", turn)).toMatchObject({ status: "submit", probes: 0 });
  expect(answers).toHaveLength(7);
  for (const answer of answers) expect(answer).toMatch(/^Error: /);
  expect(JSON.stringify(turn.stored).length).toBeLessThan(20_000);
});

test("openings that are none, and questions asked wrongly, are the mistake of the code", async () => {
  const openings = [
    undefined,
    null,
    [],
    "hi",
    circular(),
    [{ role: "user" }],
    [{ role: "tool", content: "" }],
  ];
  const forged = [{ role: "assistant", content: "", toolCalls: [], usage: {} }];
  for (const opening of [...openings, forged, [{ role: "system", content: "no user" }]]) {
    for (const solve of [
      ({ loop }: AgentContext) => loop(junk(opening)),
      ({ once }: AgentContext) => once(junk(opening)),
      ({ consult }: AgentContext) => consult(junk({ name: "a", opening })).then(junk),
    ] satisfies Solve[]) {
      const turn = aTurn([], { agents: [agent(solve, false)], task: detecting });
      const reason = expect.stringContaining("the opening of a turn");
      expect(await play("Bad", turn)).toMatchObject({ status: "nothing", reason });
      expect(turn.stored).toEqual([]);
    }
  }
  const nameless: Solve = ({ consult }) =>
    consult(junk({ opening: [{ role: "user", content: "" }] })).then(junk);
  const turn = aTurn([], { agents: [agent(nameless, false)], task: detecting });
  expect(await play("Bad", turn)).toMatchObject({ reason: expect.stringContaining("name: ") });
});

test("what the code says after an observation is its own, too", async () => {
  const opening = [{ role: "user", content: "Check it." }] as const;
  for (const afterObservation of [throwing, async () => 5, "words", () => Promise.reject(null)]) {
    const solve: Solve = ({ loop }) => loop(opening, { afterObservation: junk(afterObservation) });
    const turn = aTurn([calls(readPods), text("hm")], { agents: [agent(solve, false)], task: detecting });
    const reason = expect.stringContaining("afterObservation");
    expect(await play("Bad", turn)).toMatchObject({ status: "nothing", reason });
  }
});

test("what the harness gets wrong is thrown, though the code hides it", async () => {
  const hiding: Solve = async ({ call, submit }) => {
    await call(...readPods).catch(() => undefined);
    return submit({ anomaly: true });
  };
  const waiting: Solve = async ({ call }) => {
    await call(...readPods).catch(() => undefined);
    return new Promise(() => {});
  };
  for (const solve of [hiding, waiting]) {
    const turn = aTurn([], { agents: [agent(solve)], task: detecting });
    const ask = () => Promise.reject(terminal("cluster-unreachable", "no route"));
    await expect(play("Bad", { ...turn, ask })).rejects.toMatchObject({ code: "cluster-unreachable" });
  }
});

test("a budget that has run out ends the turn, though the code hides it", async () => {
  const solve: Solve = async ({ call }) => {
    for (;;) await call(...readPods).catch(() => new Promise((resolve) => setImmediate(resolve)));
  };
  const command = aCommand({ budgets: Budgets.parse({ probeRounds: 2 }), maxProbes: 50 });
  const turn = aTurn([], { agents: [agent(solve)], task: detecting, command });
  expect(await play("Bad", turn)).toMatchObject({ status: "nothing", exhausted: "probeRounds", probes: 2 });
});

test.each([
  ["never ends", async () => new Promise<never>(() => {})],
  [
    "never ends after a call",
    ({ call }: AgentContext) => call(...readPods).then(() => new Promise<never>(() => {})),
  ],
])("code that %s is ended when its time is over", async (_, solve) => {
  const command = aCommand({ budgets: Budgets.parse({ seconds: 1 }) });
  const turn = aTurn([], { agents: [agent(solve)], task: detecting, command });
  expect(await play("Bad", turn)).toMatchObject({ status: "nothing", exhausted: "seconds" });
});

test("a turn's cost is counted in its conversation; what the code says of it changes nothing", async () => {
  const script = [calls(readPods), text("hm"), calls(["submit", { anomaly: true }])];
  const honest: Solve = async ({ call, loop }) => {
    await call(...readPods);
    return loop([{ role: "user", content: "Check it." }], {
      afterObservation: async (said) => {
        for (const message of said) {
          const change = () => Object.assign(message, { usage: undefined, milliseconds: undefined });
          expect(change).toThrow(TypeError);
        }
        return undefined;
      },
    });
  };
  const usage = { calls: 0, promptTokens: 0, completionTokens: 0, cost: 0, estimatedTokens: 0 };
  const forging: Solve = async (context) =>
    junk({ ...(await honest(context)), usage, observations: [], probes: 0, toolClusterMs: 0 });
  const played = async (solve: Solve) => {
    const turn = aTurn(script, { agents: [agent(solve, false)], task: detecting });
    return play("Bad", turn);
  };
  const expected = await played(honest);
  expect(expected).toMatchObject({ status: "submit", probes: 2, usage: { calls: 3, cost: 0.75 } });
  expect(await played(forging)).toEqual(expected);
});
