import { execFileSync } from "node:child_process";
import { type EvidenceCall, longCall, pauseOf, shellCall } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { joinCalls } from "./joined-calls.ts";
import { keyOf } from "./policy.ts";

/** A kubectl that prints the template that it was given, and its kinds on another stream. */
const kubectl = `kubectl() { echo "call: $2" >&3; t=\${4#jsonpath=}; echo "\${t//'{"\\n--- next\\n"}'/$'\\n--- next\\n'}"; }`;

function run({ arguments: { command } }: EvidenceCall) {
  const script = `exec 3>&1\n${kubectl}\n${command}`;
  const printed = execFileSync("bash", ["-c", script], { encoding: "utf8" });
  const isCall = (line: string): boolean => line.startsWith("call: ");
  const lines = printed.split("\n");
  return {
    calls: lines.filter(isCall),
    answer: `exit code 0\n${lines.filter((line) => !isCall(line)).join("\n")}`,
  };
}

function join(commands: readonly string[]) {
  const calls = commands.map(shellCall);
  const joined = joinCalls(calls, new Map());
  if (!joined) throw new Error("there are calls");
  const read = (answer: string) => {
    const answers = joined.answersIn(answer);
    return calls.map((call) => answers.get(keyOf(call)));
  };
  return { joined, read };
}

test("each command gets its own output and exit code, and ends none of the others", () => {
  const { joined, read } = join(["echo a; exit 3", "x=1; echo b", 'echo "[$x]"; true', "true"]);
  expect(read(run(joined.call).answer)).toEqual([
    "exit code 3\na",
    "exit code 0\nb",
    "exit code 0\n[]",
    "exit code 0\n(no output)",
  ]);
});

test("objects that several commands list are listed by one call, and each reads its own", () => {
  const list = (kinds: string, template: string) =>
    `kubectl get ${kinds} -o jsonpath='{range .items[*]}${template}{end}'`;
  const { joined, read } = join([
    `${list("pods", "one")} | tr a-z A-Z`,
    list("deployments,sts", "two"),
    `{ ${list("pods", "three")}; echo and; ${list("pods", "one")}; }`,
    list("widgets", "unknown"),
  ]);
  const { calls, answer } = run(joined.call);
  expect(calls.toSorted()).toEqual(["call: pods,deployments,sts", "call: widgets"]);
  const of = (kind: string, text: string) => `{range .items[?(@.kind=="${kind}")]}${text}{end}`;
  expect(read(answer)).toEqual([
    `exit code 0\n${of("Pod", "one").toUpperCase()}`,
    `exit code 0\n${of("Deployment", "two")}${of("StatefulSet", "two")}`,
    `exit code 0\n${of("Pod", "three")}\nand\n${of("Pod", "one")}`,
    "exit code 0\n{range .items[*]}unknown{end}",
  ]);
});

test("what several commands list alike is listed once, be it of another kind", () => {
  const events = `kubectl get events -o jsonpath='{range .items[*]}A b{end}'`;
  const { joined, read } = join([`${events} | tr a-z A-Z`, events]);
  const { calls, answer } = run(joined.call);
  expect(calls).toEqual(["call: events"]);
  const listed = "{range .items[*]}A b{end}";
  expect(read(answer)).toEqual([`exit code 0\n${listed.toUpperCase()}`, `exit code 0\n${listed}`]);
});

test("what an answer leaves out is asked again, with fewer others", () => {
  const { joined, read } = join(["echo a", "echo b", "echo c"]);
  const whole = run(joined.call).answer.split("\n");
  const at = whole.indexOf("b");
  const cut = [...whole.slice(0, at), "... [2 lines, 9 characters left out] ...", ...whole.slice(at + 1)];
  expect(read(cut.join("\n"))).toEqual(["exit code 0\na", undefined, "exit code 0\nc"]);
  expect(read(whole.slice(0, at).join("\n"))).toEqual(["exit code 0\na", undefined, undefined]);
  const [a, b] = ["echo a", "echo b"].map(shellCall) as [EvidenceCall, EvidenceCall];
  expect(joinCalls([a, b], new Map([[keyOf(b), 1]]))?.call).toEqual(a);
  expect(joinCalls([b], new Map([[keyOf(b), 1]]))?.call).toEqual(b);
});

test("what takes long is alone, what takes no shell is first, and a pause is last", () => {
  const [inPod, pause] = [longCall("kubectl exec a -- ping b"), pauseOf(8)];
  const log = { tool: "diff_since", arguments: {} };
  expect(joinCalls([shellCall("true"), log], new Map())?.call).toEqual(log);
  expect(joinCalls([pause, inPod], new Map())?.call).toEqual(inPod);
  expect(joinCalls([pause], new Map())?.call).toEqual(pause);
  expect(joinCalls([pause, shellCall("true"), inPod, shellCall("false")], new Map())?.keys).toEqual(
    [shellCall("true"), shellCall("false")].map(keyOf),
  );
  expect(joinCalls([], new Map())).toBeUndefined();
});

test("the longest pause is one for all", () => {
  const pauses = [3, 16, 8].map(pauseOf);
  const joined = joinCalls(pauses, new Map());
  expect(joined?.call).toEqual(pauseOf(16));
  expect([...(joined?.answersIn("16 s have passed") ?? [])]).toEqual(
    pauses.map((one) => [keyOf(one), "16 s have passed"]),
  );
});
