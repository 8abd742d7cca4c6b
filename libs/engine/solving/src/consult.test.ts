import { defineAgent } from "@microremed/catalogue";
import { Budgets } from "@microremed/contracts";
import { expect, test } from "vitest";
import { aCommand, aTurn, calls, play, playbook, text, unpairedCalls } from "./testing/turn-fixture.ts";

const probe = (command: string) => ["probe_system", { command }] as const;
const print = calls(["print_playbook", { playbook }]);
const opening = [{ role: "user", content: "# Failure report" }] as const;

/** A member of the team reads first; after each observation of the turn a second call says something about it. */
const team = defineAgent({
  name: "Team",
  description: "asks beside its turn",
  tasks: "all",
  tools: ["probe_system"],
  maxAttempts: (requested) => requested,
  solve: async ({ consult, loop }) => {
    const asked = [{ role: "user", content: "What is wrong?" }] as const;
    const diagnosis = await consult({ name: "diagnosis", opening: asked, observing: true });
    return loop([...opening, { role: "user", content: diagnosis }], {
      afterObservation: (said) => {
        const name = `hint ${said.filter(({ role }) => role === "assistant").length}`;
        return consult({
          name,
          opening: [{ role: "user", content: `Hint, after ${said.at(-1)?.content}?` }],
        });
      },
    });
  },
});

const script = [
  calls(probe("a")),
  text("the cart"),
  calls(probe("b")),
  text("look at c"),
  calls(probe("c")),
  text("act"),
  print,
];

test("questions beside the turn see it only as far as the agent shows it, and their words reach the turn", async () => {
  const turn = aTurn(script, { agents: [team] });
  const solution = await play("Team", turn);
  expect(solution).toMatchObject({ status: "act", probes: 3, usage: { calls: 7 } });
  expect(solution.observations).toHaveLength(3);
  const sent = turn.requests.map(({ messages }) => messages.map(({ content }) => content).join(" | "));
  expect(sent[0]).toBe("What is wrong?");
  expect(turn.requests[0]?.tools?.map(({ name }) => name)).toEqual(["probe_system"]);
  expect(sent[2]).toBe("# Failure report | the cart");
  expect(sent[3]).toBe("Hint, after exit code 0\noutput of b?");
  expect(turn.requests[3]?.tools).toEqual([]);
  // The hint is at the end of the observation itself.
  expect(turn.requests[4]?.messages.at(-1)).toMatchObject({
    role: "tool",
    content: "exit code 0\noutput of b\n\nlook at c",
  });
  expect(unpairedCalls(turn.stored)).toEqual([]);
});

test("wherever a turn with questions beside it dies, its redelivery goes on there and pays nothing twice", async () => {
  const whole = aTurn(script, { agents: [team] });
  const expected = await play("Team", whole);
  for (let length = 0; length <= whole.stored.length; length++) {
    const stored = whole.stored.slice(0, length);
    // Openings are stored at once.
    if (stored.at(-1)?.content === "# Failure report") continue;
    const asked = stored.filter(({ role }) => role === "assistant").length;
    const resumed = aTurn(script.slice(asked), { agents: [team], stored });
    expect(await play("Team", resumed)).toEqual(expected);
    expect(resumed.stored).toEqual(whole.stored);
  }
});

test("a budget that runs out beside the turn ends the turn", async () => {
  const command = aCommand({ budgets: Budgets.parse({ tokens: 200 }) });
  const turn = aTurn(script, { agents: [team], command });
  expect(await play("Team", turn)).toMatchObject({
    status: "nothing",
    exhausted: "tokens",
    usage: { calls: 2 },
  });
});

test("a member that only calls tools is ended by its limit", async () => {
  const stubborn = Array.from({ length: 20 }, () => calls(probe("again")));
  const turn = aTurn([...stubborn.slice(0, 6), print], { agents: [team] });
  expect(await play("Team", turn)).toMatchObject({ status: "act", probes: 3 });
  const answers = turn.stored.flatMap((message) => (message.role === "tool" ? [message.content] : []));
  expect(answers).toContain("Not run: all 3 probes of this attempt are used. Answer in words now.");
});

test("an agent's own number of model calls ends its turn", async () => {
  const short = defineAgent({ ...team, settings: { steps: 2 }, solve: ({ loop }) => loop(opening) });
  const turn = aTurn(
    Array.from({ length: 9 }, () => calls(probe("again"))),
    { agents: [short] },
  );
  expect(await play("Team", turn)).toMatchObject({
    status: "nothing",
    reason: "no playbook within 2 model calls",
  });
});
