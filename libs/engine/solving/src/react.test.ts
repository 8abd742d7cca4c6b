import { expect, test } from "vitest";
import { aCommand, aTurn, calls, play, playbook, unpairedCalls } from "./testing/turn-fixture.ts";

const thought = (content: string, ...list: readonly (readonly [string, unknown])[]) => ({
  ...calls(...list),
  content,
});
const print = ["print_playbook", { playbook }] as const;

test("a thought before every action, over two attempts", async () => {
  const first = aTurn([
    thought("Thought: see the pods first.", ["get_events", {}], ["query_metrics", {}]),
    thought("Thought: the pod is starved.", print),
  ]);
  await play("ReAct", first);
  expect(first.probed).toEqual(['{"kind":"events"}', '{"kind":"metrics"}']);
  const feedback = { execution: "fatal: [k3s_control_plane]: FAILED!", recovered: false };
  const second = aTurn([thought("Thought: it failed to run.", print)], {
    command: aCommand({ attempt: 2, feedback }),
    stored: first.stored,
  });
  expect(await play("ReAct", second)).toMatchObject({ status: "act", arguments: { playbook } });
  expect(unpairedCalls(second.stored)).toEqual([]);
});

test("without observations allowed none is offered or promised", async () => {
  const turn = aTurn([calls(print)], { command: aCommand({ maxProbes: 0, maxAttempts: 1 }) });
  await play("ReAct", turn);
  expect(turn.requests[0]?.tools?.map(({ name }) => name)).toEqual(["print_playbook"]);
  expect(turn.stored[1]?.content).toContain("decide from the report alone");
});
