import type { ChatMessage, SolveCommand, TurnReply } from "@microremed/contracts";
import type { ChatReply } from "@microremed/llm";
import { expect, test } from "vitest";
import { aCommand } from "../testing/play-turn.ts";
import { createSeat, type SeatOptions } from "./create-seat.ts";

const tools = [{ name: "get_logs", description: "Get logs.", parameters: { type: "object" } }];
const opening: ChatMessage = { role: "user", content: "What is wrong?", attempt: 1 };
const turn = { trial: 1, attempt: 1 };
const { episodeId } = aCommand;

const question = { mayAct: false, answered: true };
const repair = { mayAct: true, answered: false };

function aSeat(changes: Partial<SolveCommand> = {}, more: Partial<SeatOptions> = {}) {
  const { signal } = new AbortController();
  const command = { ...aCommand, model: "session/checker@1", ...changes };
  const others = { idleSeconds: 3600, isWanted: async () => false };
  const seat = createSeat({
    ...{ command, task: question, signal, stopping: signal, now: Date.now },
    ...others,
    ...more,
  });
  const complete: typeof seat.chat.complete = (request) => {
    const reply = seat.chat.complete(request);
    // A test may end while the agent is still waited for.
    reply.catch(() => undefined);
    return reply;
  };
  return { ...seat, chat: { ...seat.chat, complete } };
}
const aCall = (id: string, tool = "get_logs", args: object = { of: "cart" }) => ({
  kind: "call" as const,
  ...{ episodeId, waitMs: 10_000 },
  call: { id, tool, arguments: JSON.stringify(args) },
});
/** The conversation after calls that were answered. */
const after = (...replies: readonly (ChatReply & { readonly text: string })[]): ChatMessage[] => [
  opening,
  ...replies.flatMap(({ text, content, toolCalls, usage, exchange }): ChatMessage[] => [
    { role: "assistant", content, toolCalls: [...toolCalls], usage, exchange },
    { role: "tool", toolCallId: toolCalls[0]?.id ?? "", content: text, milliseconds: 12 },
  ]),
];

test("the agent reads its turn, calls a tool, and gets the answer when the turn comes back with it", async () => {
  const seat = aSeat();
  const reading = seat.move({ kind: "read", episodeId, waitMs: 10_000 });
  const asked = seat.chat.complete({ messages: [opening], tools });
  expect(await reading).toMatchObject({
    status: "reading",
    view: {
      turn,
      task: "mitigation",
      words: "What is wrong?",
      tools,
      calls: 0,
      maxProbes: aCommand.maxProbes,
    },
  });
  const spent = { promptTokens: 100, completionTokens: 20, cost: 0.5, seconds: 3 };
  const calling = seat.move({ ...aCall("one"), turn, spent });
  const reply = await asked;
  expect(reply).toMatchObject({
    content: "",
    toolCalls: [{ id: "one", name: "get_logs", arguments: '{"of":"cart"}' }],
    usage: { promptTokens: 100, completionTokens: 20, cost: 0.5 },
    exchange: { model: "session/checker@1", endpoint: "session", said: { seconds: 3 }, usageReported: true },
  });
  const next = seat.chat.complete({ messages: after({ ...reply, text: "exit code 0\nfine" }), tools });
  expect(await calling).toEqual({
    status: "answered",
    text: "exit code 0\nfine",
    ran: true,
    milliseconds: 12,
  });
  expect(await seat.move({ ...aCall("one"), waitMs: 0 })).toMatchObject({ status: "answered" });
  const submitting = seat.move(aCall("two", "submit", { anomaly: true }));
  expect((await next).exchange).toMatchObject({ said: {}, usageReported: false });
  seat.end({ status: "submit" });
  expect(await submitting).toMatchObject({ status: "ended", how: "submitted" });
  expect(await seat.move(aCall("three"))).toMatchObject({ status: "ended" });
});

test("a call that is made again, while it is under way or later, is the same call; another one with its id is refused", async () => {
  const seat = aSeat();
  const asked = seat.chat.complete({ messages: [opening], tools });
  const twice = [seat.move(aCall("one")), seat.move(aCall("one"))];
  const reply = await asked;
  expect(await seat.move({ ...aCall("one"), waitMs: 0 })).toEqual({ status: "pending" });
  expect(await seat.move(aCall("one", "get_logs", { of: "other" }))).toEqual({ status: "conflict" });
  let taken = 0;
  const next = seat.chat.complete({ messages: after({ ...reply, text: "fine" }), tools });
  void next.then(
    () => taken++,
    () => undefined,
  );
  expect((await Promise.all(twice)).map(({ status }) => status)).toEqual(["answered", "answered"]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(taken).toBe(0);
  seat.end({ status: "nothing" });
});

test("another process goes on from the conversation: calls that are answered there are not made again", async () => {
  const first = aSeat();
  const asked = first.chat.complete({ messages: [opening], tools });
  void first.move(aCall("one"));
  const messages = after({ ...(await asked), text: "fine" });
  const second = aSeat();
  // It may come before the turn is where it was.
  const again = second.move(aCall("one"));
  expect(await second.move({ ...aCall("one"), waitMs: 0 })).toEqual({ status: "pending" });
  const next = second.chat.complete({ messages, tools });
  expect(await again).toMatchObject({ status: "answered", text: "fine" });
  expect(await second.move(aCall("one"))).toMatchObject({ status: "answered", text: "fine" });
  void second.move(aCall("two"));
  expect((await next).toolCalls[0]?.id).toBe("two");
});

test("an id of the attempt before is refused, whatever it is sent with; in its own attempt a call is made once", async () => {
  const first = aSeat();
  const asked = first.chat.complete({ messages: [opening], tools });
  void first.move(aCall("one"));
  const before = after({ ...(await asked), text: "fine" });
  const second = aSeat({ attempt: 2, attemptNumber: 2 });
  const opened: ChatMessage[] = [...before, { role: "user", content: "Recovered: no", attempt: 2 }];
  const next = second.chat.complete({ messages: opened, tools });
  const spent = { promptTokens: 100, completionTokens: 10, cost: 0.5 };
  for (const again of [aCall("one"), aCall("one", "submit", {})])
    expect(await second.move({ ...again, spent })).toEqual({ status: "conflict" });
  const twice = [aCall("two"), aCall("two")].map((one) => second.move({ ...one, spent }));
  const { content, toolCalls, usage, exchange } = await next;
  expect([toolCalls.map(({ id }) => id), usage]).toMatchObject([["two"], spent]);
  const messages: ChatMessage[] = [
    ...opened,
    { role: "assistant", content, toolCalls: [...toolCalls], usage, exchange },
    { role: "tool", toolCallId: "two", content: "better", milliseconds: 12 },
  ];
  void second.chat.complete({ messages, tools });
  for (const one of await Promise.all(twice)) expect(one).toMatchObject({ text: "better" });
  expect(second.unanswered()).toMatchObject({ promptTokens: 0 });
  second.end({ status: "nothing" });
});

test("calls that come at once are made one after the other, and no more than a few wait", async () => {
  const seat = aSeat();
  const replies = Array.from({ length: 20 }, (_, i) => seat.move(aCall(`c${i}`)));
  const statuses: TurnReply["status"][] = [];
  for (const reply of replies) void reply.then(({ status }) => statuses.push(status));
  const first = await seat.chat.complete({ messages: [opening], tools });
  const second = await seat.chat.complete({ messages: after({ ...first, text: "a" }), tools });
  expect([first, second].map(({ toolCalls }) => toolCalls[0]?.id)).toEqual(["c0", "c1"]);
  await expect.poll(() => statuses.filter((status) => status === "busy")).toHaveLength(3);
  expect(statuses.filter((status) => status === "answered")).toHaveLength(1);
  seat.end({ status: "nothing", reason: "all tokens are used" });
  await Promise.all(replies);
  expect(statuses.filter((status) => status === "ended")).toHaveLength(16);
});

test("during an action who waits is sent away to ask again; at another attempt the turn is another one", async () => {
  const seat = aSeat({ attemptNumber: 2, trial: 3 });
  const asked = seat.chat.complete({ messages: [opening], tools });
  const calling = seat.move(aCall("one", "exec_shell", { command: "kubectl delete pod cart-0" }));
  await asked;
  seat.end({ status: "act", goesOn: true });
  expect(await calling).toEqual({ status: "acting" });
  expect(await seat.move({ kind: "read", episodeId, turn, waitMs: 0 })).toEqual({
    status: "other-turn",
    turn: { trial: 3, attempt: 2 },
  });
});

test("an agent that leaves, or is silent for too long, is lost; a sign of life keeps it", async () => {
  const left = aSeat();
  const gone = expect(left.chat.complete({ messages: [opening], tools })).rejects.toMatchObject({
    ...{ code: "agent-lost", message: "the agent left: no idea" },
  });
  const leaving = left.move({ kind: "leave", episodeId, reason: "no idea", waitMs: 10_000 });
  // Until the turn has ended, that it did is not said; the first word counts.
  expect(await left.move({ kind: "leave", episodeId, reason: "again", waitMs: 0 })).toEqual({
    status: "pending",
  });
  await gone;
  left.end({ status: "nothing", reason: "the agent left: no idea" });
  expect(await leaving).toEqual({ status: "ended", how: "over", reason: "the agent left: no idea" });

  const submitted = aSeat();
  const asked = submitted.chat.complete({ messages: [opening], tools });
  void submitted.move(aCall("one", "submit"));
  await asked;
  submitted.end({ status: "submit" });
  expect(await submitted.move({ kind: "leave", episodeId, reason: "", waitMs: 0 })).toMatchObject({
    how: "submitted",
  });

  const spent = { promptTokens: 9, completionTokens: 2, cost: 0.5 };
  const said = aSeat();
  const last = said.chat.complete({ messages: [opening], tools });
  await said.move({ kind: "leave", episodeId, reason: "no idea", spent });
  expect(await last).toMatchObject({ toolCalls: [], usage: { promptTokens: 9, cost: 0.5 } });
  await expect(said.chat.complete({ messages: [opening], tools })).rejects.toMatchObject({
    ...{ code: "agent-lost", message: "the agent left: no idea" },
  });

  let now = 1_000_000;
  const silent = aSeat({ modelSeconds: 1 }, { now: () => now });
  const lost = expect(silent.chat.complete({ messages: [opening], tools })).rejects.toMatchObject({
    ...{ code: "agent-lost", message: expect.stringContaining("no call for 1 s") },
  });
  now += 900;
  expect(await silent.move({ kind: "alive", episodeId })).toEqual({ status: "alive" });
  now += 1_001;
  await lost;
});

test("what was said in calls that the end overtook is not lost", async () => {
  const seat = aSeat();
  const asked = seat.chat.complete({ messages: [opening], tools });
  const spent = { promptTokens: 100, completionTokens: 10, cost: 0.5 };
  const moves = ["one", "two", "three"].map((id) => seat.move({ ...aCall(id, "submit"), spent }));
  expect((await asked).usage).toMatchObject(spent);
  expect(seat.unanswered()).toMatchObject({ promptTokens: 200, completionTokens: 20, cost: 1 });
  seat.end({ status: "submit" });
  await Promise.all(moves);
});

test("who says nothing for as long as the episode's seconds allow is lost, also with heartbeats; what was used before counts", async () => {
  let now = 1_000_000;
  const budgets = { ...aCommand.budgets, seconds: 61 };
  const seat = aSeat({ budgets, modelSeconds: 3600 }, { now: () => now });
  const asked = seat.chat.complete({ messages: [opening], tools });
  void seat.move(aCall("one"));
  const { exchange, ...reply } = await asked;
  const messages = after({ ...reply, exchange: { ...exchange, milliseconds: 60_000 }, text: "fine" });
  const lost = expect(seat.chat.complete({ messages, tools })).rejects.toMatchObject({
    ...{ code: "agent-lost", message: expect.stringContaining("the 61 s of the episode") },
  });
  now += 1_001;
  await seat.move({ kind: "alive", episodeId });
  await lost;
});

test("calls that are not run are no work: an agent that makes nothing else gives its arena back, whatever it calls", async () => {
  let now = 1_000_000;
  let asked = 0;
  const isWanted = async (isSilent: boolean): Promise<boolean> => {
    expect(isSilent).toBe(false);
    asked++;
    return true;
  };
  const seat = aSeat({ modelSeconds: 60 }, { now: () => now, idleSeconds: 100, isWanted });
  const messages: ChatMessage[] = [opening];
  const answer = (reply: ChatReply, more: { milliseconds?: number; refused?: true } = {}) => {
    const { content, toolCalls, usage, exchange } = reply;
    const toolCallId = toolCalls[0]?.id ?? "";
    messages.push(
      { role: "assistant", content, toolCalls: [...toolCalls], usage, exchange },
      { role: "tool", toolCallId, content: "answer", ...more },
    );
  };
  const play = async (id: string): Promise<ChatReply> => {
    now += 30_000;
    void seat.move(aCall(id));
    return seat.chat.complete({ messages, tools });
  };
  // What works is never asked after others.
  for (let i = 0; i < 10; i++) answer(await play(`work-${i}`), { milliseconds: 5 });
  expect(asked).toBe(0);
  const cheap = [{}, { milliseconds: 5, refused: true }] as const;
  for (let i = 0; i < 4; i++) answer(await play(`cheap-${i}`), cheap[i % 2]);
  await expect(play("cheap-4")).rejects.toMatchObject({ code: "arena-given-back" });
  expect(asked).toBe(1);
});

test("a command that was refused was not run", async () => {
  const seat = aSeat();
  const asked = seat.chat.complete({ messages: [opening], tools });
  const calling = seat.move(aCall("one", "exec_shell"));
  const messages = after({ ...(await asked), text: "refused, not run: it does not only read" });
  const refused = messages.map((message) =>
    message.role === "tool" ? ({ ...message, refused: true } as const) : message,
  );
  void seat.chat.complete({ messages: refused, tools });
  expect(await calling).toMatchObject({ status: "answered", ran: false, milliseconds: null });
});

test("an agent that asks for nothing gives its arena back when others wait, and a heartbeat says that it thinks", async () => {
  let now = 1_000_000;
  const asked: boolean[] = [];
  let waits = false;
  const isWanted = async (isSilent: boolean): Promise<boolean> => {
    asked.push(isSilent);
    return waits;
  };
  const seat = aSeat({ modelSeconds: 60 }, { now: () => now, idleSeconds: 1, isWanted });
  const given = expect(seat.chat.complete({ messages: [opening], tools })).rejects.toMatchObject({
    code: "arena-given-back",
  });
  expect(await seat.move({ kind: "alive", episodeId })).toEqual({ status: "alive" });
  expect(asked).toEqual([]);
  now += 1_000;
  await expect.poll(() => asked).toEqual([true]);
  now += 900;
  await seat.move({ kind: "alive", episodeId });
  now += 100;
  waits = true;
  await given;
  expect(asked).toEqual([true, false]);
});

test("a remediator that stops lets go of the turn, and has those who wait ask again", async () => {
  const stopping = new AbortController();
  const seat = aSeat({}, { stopping: stopping.signal });
  const asked = seat.chat.complete({ messages: [opening], tools });
  const reading = seat.move({ kind: "read", episodeId, turn: { trial: 1, attempt: 1 }, waitMs: 10_000 });
  expect(await reading).toMatchObject({ status: "reading" });
  const reason = new Error("the service is stopping");
  stopping.abort(reason);
  await expect(asked).rejects.toBe(reason);
  const calling = seat.move(aCall("one"));
  seat.leave();
  expect(await calling).toEqual({ status: "pending" });
});

test("what a turn announces of attempts is what holds: an answer is final, and a later task or window counts on", async () => {
  const announced = async (changes: Partial<SolveCommand>, task: SeatOptions["task"]) => {
    const seat = aSeat({ maxAttempts: 2, ...changes }, { task });
    const read = seat.move({ kind: "read", episodeId, waitMs: 10_000 });
    void seat.chat.complete({ messages: [{ ...opening, attempt: changes.attempt ?? 1 }], tools });
    const reply = await read;
    return reply.status === "reading" ? [reply.view.maxAttempts, reply.view.submitIsFinal] : reply;
  };
  expect(await announced({}, question)).toEqual([2, true]);
  expect(await announced({}, repair)).toEqual([2, undefined]);
  expect(await announced({ feedbackKind: "none" }, repair)).toEqual([2, true]);
  expect(await announced({ attempt: 3, firstAttempt: 3 }, repair)).toEqual([4, undefined]);
  const window = { number: 5, seconds: 60 };
  expect(await announced({ attempt: 5, window }, question)).toEqual([5, true]);
});
