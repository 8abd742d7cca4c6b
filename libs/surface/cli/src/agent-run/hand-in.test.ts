import type { Spent } from "@microremed/contracts";
import type { ProcessEnd } from "@microremed/sandbox";
import { expect, test } from "vitest";
import { handIn, lastObjectIn } from "./hand-in.ts";
import type { CallEnd, ToolCalled, Turn } from "./session-client.ts";

const asking = { name: "submit", description: "", parameters: { properties: { anomaly: {} } } };
const repairing = { name: "submit", description: "", parameters: { properties: {} } };

async function handedIn(
  tool: typeof asking | typeof repairing,
  end: Partial<ProcessEnd>,
  answer?: unknown,
  reply: CallEnd = { status: "ended", how: "submitted", reason: "" },
  spent?: Spent,
  hint = "",
) {
  const calls: (ToolCalled | string)[] = [];
  await handIn({
    session: {
      call: async (_turn, call) => {
        calls.push(call);
        return reply;
      },
      leave: async (_turn, reason, spent) =>
        void calls.push(spent ? `${reason}: ${spent.promptTokens}` : reason),
    },
    turn: { problem: "p1", tools: [tool] } as unknown as Turn,
    end: { how: "exited", exitCode: 0, output: "", wallSeconds: 1, ...end },
    ...{
      answer,
      answerProblem: undefined,
      spent,
      seconds: 60,
      hint,
      signal: new AbortController().signal,
    },
  });
  return calls;
}

test("the answer is the file's, else the last line that is an object", async () => {
  const output = 'thinking {"a":1}\n{"anomaly": false}\ndone\n';
  expect(await handedIn(asking, { output }, { anomaly: true })).toMatchObject([
    { tool: "submit", arguments: { anomaly: true } },
  ]);
  expect(await handedIn(asking, { output })).toMatchObject([{ arguments: { anomaly: false } }]);
  expect(await handedIn(asking, { output, exitCode: 3 })).toMatchObject([{ arguments: { anomaly: false } }]);
});

test("a program that leaves no answer, or one that is not taken, gives its problem up and says why", async () => {
  expect(await handedIn(asking, { output: "no idea" })).toEqual([
    "the program ended with exit code 0 and left no answer",
  ]);
  expect(await handedIn(asking, { how: "flooded", exitCode: null }, [1])).toEqual([
    "the program printed more than 64 MiB and left no answer",
  ]);
  const refused: CallEnd = { status: "answered", text: "anomaly: expected boolean", ran: false };
  expect(await handedIn(asking, {}, { anomaly: 7 }, refused)).toMatchObject([
    { tool: "submit" },
    "the program's answer was not taken: anomaly: expected boolean",
  ]);
});

test("a program that fails has its last line in the reason, bounded and without control characters, and a hint", async () => {
  const output = "Traceback\npython3: can't \u001b[31mopen file\u0007\n\n";
  const why = "python3: can't  [31mopen file";
  const how = "the program ended with exit code 2";
  for (const [tool, ended] of [
    [asking, `${how} and left no answer`],
    [repairing, how],
  ] as const)
    expect(
      await handedIn(tool, { exitCode: 2, output }, undefined, undefined, undefined, "mount it"),
    ).toEqual([`${ended}; its last line: ${why}; mount it`]);
  const [long] = await handedIn(repairing, { exitCode: 2, output: "x".repeat(9999) });
  expect(String(long).length).toBeLessThan(300);
  expect(await handedIn(repairing, { exitCode: 2 })).toEqual([how]);
});

test("an answer that is nested without end is not taken, and ends nothing but its problem", async () => {
  const deep = JSON.parse(`{"anomaly":${"[".repeat(30_000)}${"]".repeat(30_000)}}`) as unknown;
  const [left, ...more] = await handedIn(asking, {}, deep);
  expect(left).toMatch(/^the program's answer was not taken: /);
  expect(more).toEqual([]);
});

test("a repair is handed in by the exit code 0, and by nothing else", async () => {
  expect(await handedIn(repairing, {})).toMatchObject([{ tool: "submit", arguments: {} }]);
  expect(await handedIn(repairing, { exitCode: 4 })).toEqual(["the program ended with exit code 4"]);
  expect(await handedIn(repairing, { how: "timed-out", exitCode: null })).toEqual([
    "the program took longer than 60 s",
  ]);
});

test("whatever a program prints is read within bounds", () => {
  expect(lastObjectIn(`${"{".repeat(100_000)}\n`)).toBeUndefined();
  expect(lastObjectIn("[1]\n7\nnull")).toBeUndefined();
  expect(lastObjectIn('  {"a": {"b": 1}}  ')).toEqual({ a: { b: 1 } });
});

test("what a program without an answer has used up is said once, when it leaves", async () => {
  const spent = { promptTokens: 7, completionTokens: 0, cost: null };
  const given = { status: "ended", how: "submitted", reason: "" } as const;
  expect(await handedIn(asking, { output: "no idea" }, undefined, given, spent)).toEqual([
    "the program ended with exit code 0 and left no answer: 7",
  ]);
  const refused: CallEnd = { status: "answered", text: "no", ran: false };
  expect(await handedIn(asking, {}, { anomaly: 7 }, refused, spent)).toMatchObject([
    { spent },
    "the program's answer was not taken: no",
  ]);
});

test("what was spent goes with the leave when the gateway refuses the answer", async () => {
  const refused: CallEnd = { status: "refused", text: "the arguments are too long" };
  const spent = { promptTokens: 7, completionTokens: 0, cost: 0.1 };
  expect(await handedIn(asking, {}, { anomaly: true }, refused, spent)).toMatchObject([
    { tool: "submit", spent },
    "the program's answer was not taken: the arguments are too long: 7",
  ]);
});
