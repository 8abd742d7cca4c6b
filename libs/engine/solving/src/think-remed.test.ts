import type { ChatReply } from "@microremed/llm";
import { expect, test } from "vitest";
import { aCommand, aTurn, calls, play, playbook, text, unpairedCalls } from "./testing/turn-fixture.ts";

const probe = (command: string) => ["probe_system", { command }] as const;
const print = ["print_playbook", { playbook }] as const;
const feedback = { execution: "fatal: [k3s_control_plane]: FAILED!", recovered: false };

test("offers every tool and goes on in the conversation, over two attempts", async () => {
  const first = aTurn([calls(probe("kubectl get pods -n online-boutique")), calls(print)]);
  await play("ThinkRemed", first);
  const second = aTurn([calls(print)], { command: aCommand({ attempt: 2, feedback }), stored: first.stored });
  const result = await play("ThinkRemed", second);
  expect(second.requests[0]?.messages).toEqual(second.stored.slice(0, -2));
  expect(second.requests[0]?.tools?.map((tool) => tool.name)).toEqual([
    "probe_system",
    "get_logs",
    "query_metrics",
    "get_events",
    "get_topology",
    "print_playbook",
  ]);
  expect(result).toMatchObject({ status: "act", usage: { calls: 1, promptTokens: 100 }, probes: 0 });
  expect(unpairedCalls(second.stored)).toEqual([]);
});

test("answers every one of several parallel calls under its own id", async () => {
  const turn = aTurn([
    calls(
      probe("a"),
      ["probe_system", "{bad"],
      ["telepathy", {}],
      ["probe_system", { cmd: "x" }],
      probe("b"),
    ),
    calls(print),
  ]);
  const result = await play("ThinkRemed", turn);
  expect(turn.probed).toEqual(["a", "b"]);
  expect(turn.stored.filter((message) => message.role === "tool").map((message) => message.content)).toEqual([
    "exit code 0\noutput of a",
    expect.stringContaining("no valid JSON"),
    expect.stringMatching(/^Error: there is no tool "telepathy"\. Tools: probe_system, .*print_playbook\.$/),
    expect.stringContaining('{"command":"kubectl get pods"}'),
    "exit code 0\noutput of b",
    "The playbook was received.",
  ]);
  expect(result).toMatchObject({ status: "act", probes: 2, usage: { calls: 2, promptTokens: 200 } });
  expect(unpairedCalls(turn.stored)).toEqual([]);
});

test("a playbook beside probes ends the turn and leaves the probes undone", async () => {
  const turn = aTurn([calls(probe("a"), print, print)]);
  expect(await play("ThinkRemed", turn)).toMatchObject({ status: "act", arguments: { playbook }, probes: 0 });
  expect(turn.probed).toEqual([]);
  expect(unpairedCalls(turn.stored)).toEqual([]);
});

test("a playbook with bad JSON gets an explanation and another chance", async () => {
  const turn = aTurn([calls(["print_playbook", "{"]), calls(print)]);
  expect(await play("ThinkRemed", turn)).toMatchObject({ status: "act", usage: { calls: 2 } });
});

test("probes beyond the limit are not run, and calls beyond theirs end the turn", async () => {
  const stubborn = Array.from({ length: 20 }, (): ChatReply => calls(probe("a"), probe("b")));
  const turn = aTurn(stubborn);
  const result = await play("ThinkRemed", turn);
  expect(turn.probed).toEqual(["a", "b", "a"]);
  expect(turn.requests).toHaveLength(7);
  expect(result).toMatchObject({
    status: "nothing",
    reason: "no playbook within 7 model calls",
    probes: 3,
  });
  expect(turn.stored).toContainEqual({
    role: "tool",
    toolCallId: "c2",
    content: "Not run: all 3 probes of this attempt are used. Call print_playbook now.",
  });
  expect(unpairedCalls(turn.stored)).toEqual([]);
});

test("without probes allowed none is offered", async () => {
  const turn = aTurn([calls(probe("a")), calls(print)], { command: aCommand({ maxProbes: 0 }) });
  await play("ThinkRemed", turn);
  expect(turn.requests[0]?.tools?.map((tool) => tool.name)).toEqual(["print_playbook"]);
  expect(turn.probed).toEqual([]);
});

test("an answer without a tool call gets one reminder, the second one ends the turn", async () => {
  const turn = aTurn([text("Let me think."), text("Still thinking.")]);
  const result = await play("ThinkRemed", turn);
  expect(result).toMatchObject({
    status: "nothing",
    reason: expect.stringMatching(/neither a tool call .* twice$/),
  });
  expect(turn.stored.filter((message) => message.content.includes("called no tool"))).toHaveLength(1);
});

test("after the reminder a playbook in a YAML block is taken", async () => {
  const written = text(`\`\`\`yaml\n${playbook}\`\`\``);
  const turn = aTurn([written, written]);
  expect(await play("ThinkRemed", turn)).toMatchObject({
    status: "act",
    arguments: { playbook },
    source: "text",
  });
});

test.each([
  [{ status: "failed", exitCode: 1, output: "not found\n" }, "exit code 1\nnot found"],
  [{ status: "timed-out", exitCode: null, output: "" }, "stopped after 10 s without an end\n(no output)"],
  [{ status: "refused", exitCode: null, output: "only reading" }, "refused, not run: only reading", true],
] as const)(
  "reports to the coordinator how a probe ended: $status",
  async (probeReply, content, refused?) => {
    const turn = aTurn([calls(probe("a")), calls(print)], { probeReply });
    await play("ThinkRemed", turn);
    expect(turn.stored).toContainEqual({ role: "tool", toolCallId: "c1", content, milliseconds: 0, refused });
  },
);

test("a long probe output is clipped in the middle", async () => {
  const turn = aTurn([calls(probe("a")), calls(print)], {
    probeReply: { status: "ok", exitCode: 0, output: "x".repeat(100_000) },
  });
  await play("ThinkRemed", turn);
  const observed = turn.stored.find((message) => message.role === "tool");
  expect(observed?.content.length).toBeLessThan(4_100);
});

test("wherever a turn dies, its redelivery goes on there and repeats no finished model call", async () => {
  const script = [calls(probe("a"), probe("b")), text("hm"), calls(probe("c")), calls(print)];
  const whole = aTurn(script);
  const expected = await play("ThinkRemed", whole);
  for (let length = 0; length <= whole.stored.length; length++) {
    // The opening is stored at once.
    if (length === 1) continue;
    const stored = whole.stored.slice(0, length);
    const asked = stored.filter((message) => message.role === "assistant").length;
    const resumed = aTurn(script.slice(asked), { stored });
    expect(await play("ThinkRemed", resumed)).toEqual(expected);
    expect(resumed.stored).toEqual(whole.stored);
    expect(resumed.requests).toHaveLength(script.length - asked);
  }
});

test("an error of the model's endpoint goes to the caller and leaves a conversation to go on from", async () => {
  const turn = aTurn([calls(probe("a")), new Error("endpoint down")]);
  await expect(play("ThinkRemed", turn)).rejects.toThrow("endpoint down");
  const resumed = aTurn([calls(print)], { stored: turn.stored });
  expect(await play("ThinkRemed", resumed)).toMatchObject({
    status: "act",
    probes: 1,
    usage: { calls: 2 },
  });
});
