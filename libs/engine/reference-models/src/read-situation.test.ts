import { failureReport, watchWords } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { ChatCompletionRequest } from "./chat-request.ts";
import { readSituation } from "./read-situation.ts";

const targetIn = (target: string): string | undefined => {
  const content = failureReport({ environment: "corner-shop", namespace: "corner-shop", target });
  const request = ChatCompletionRequest.parse({
    model: "reference/runbook",
    messages: [{ role: "user", content }],
  });
  return readSituation(request)?.report.target;
};

test("a target that is no workload is the workload of its name", () => {
  expect([targetIn("till"), targetIn("service/till")]).toEqual(["till", "till"]);
  expect([targetIn("till; rm -rf /"), targetIn("a/b/c")]).toEqual([undefined, undefined]);
});

test("submit without arguments asks for no answer: the system is to be repaired", () => {
  const answerWith = (parameters: object) => {
    const content = failureReport({ environment: "shop", namespace: "shop" });
    const tools = [{ function: { name: "submit", parameters } }, { function: { name: "exec_shell" } }];
    const messages = [{ role: "user", content }];
    const request = ChatCompletionRequest.parse({ model: "reference/runbook", messages, tools });
    return readSituation(request);
  };
  expect(answerWith({ type: "object", properties: {} })).toMatchObject({ answer: null, canProbe: true });
  const asked = { type: "object", properties: { anomaly: { type: "boolean" } } };
  expect(answerWith(asked)?.answer).toMatchObject(asked);
});

test("what was observed is remembered, but not over the windows of a watch", () => {
  const report = failureReport({ environment: "shop", namespace: "shop" });
  const called = (command: string, id: string) => ({
    role: "assistant",
    content: "",
    tool_calls: [{ id, function: { name: "exec_shell", arguments: JSON.stringify({ command }) } }],
  });
  const seenBefore = (second: string) => {
    const messages = [
      { role: "user", content: report },
      called("kubectl get pods", "c1"),
      { role: "tool", tool_call_id: "c1", content: "all of them" },
      { role: "user", content: second },
    ];
    const request = ChatCompletionRequest.parse({ model: "reference/expert", messages, tools: [] });
    return [...(readSituation(request)?.answers.values() ?? [])];
  };
  expect(seenBefore("And where?")).toEqual(["all of them"]);
  expect(seenBefore(watchWords({ number: 2, seconds: 60 }))).toEqual([]);
});

test("a pause to see whether something comes and goes makes all answers old, unless it was refused", () => {
  const call = (name: string, args: object, answer: string) => {
    const tool_calls = [{ id: name, function: { name, arguments: JSON.stringify(args) } }];
    return [
      { role: "assistant", content: "", tool_calls },
      { role: "tool", tool_call_id: name, content: answer },
    ];
  };
  const seenAfter = (seconds: number, answer: string) => {
    const messages = [
      { role: "user", content: failureReport({ environment: "shop", namespace: "shop" }) },
      ...call("exec_shell", { command: "kubectl get pods" }, "all of them"),
      ...call("wait", { seconds }, answer),
    ];
    const request = ChatCompletionRequest.parse({ model: "reference/expert", messages, tools: [] });
    const { answers, pausesBefore } = readSituation(request) ?? {};
    return { seen: [...(answers?.values() ?? [])], pausesBefore };
  };
  expect(seenAfter(40, "40 s have passed")).toEqual({ seen: [], pausesBefore: 1 });
  expect(seenAfter(16, "16 s have passed").pausesBefore).toBe(0);
  expect(seenAfter(40, "Not run: enough").pausesBefore).toBe(0);
});

test("attempts are counted from the last report on: the tasks of a cycle before are none", () => {
  const report = failureReport({ environment: "shop", namespace: "shop" });
  const attemptIn = (...said: readonly string[]) => {
    const messages = said.map((content) => ({ role: "user", content }));
    const request = ChatCompletionRequest.parse({ model: "reference/expert", messages, tools: [] });
    return readSituation(request)?.attempt;
  };
  expect(attemptIn(report)).toBe(1);
  expect(attemptIn(report, "# Attempt 2 of 2")).toBe(2);
  expect(attemptIn(report, "Try again.", `${report} Where?`, `${report} Repair it.`)).toBe(1);
  expect(attemptIn(report, `${report} Repair it.`, "# Attempt 2 of 2")).toBe(2);
});
