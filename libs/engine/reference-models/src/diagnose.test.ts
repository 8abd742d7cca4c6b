import { evidenceBy, isCall, printedBy, shellCall } from "@microremed/catalogue";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { diagnose, diagnoseOften } from "./diagnose.ts";
import { askAgain, keyOf } from "./policy.ts";
import { answerCommand } from "./testing/answer-command.ts";

const { faults } = await builtInCatalogue();
const of = (name: string, command: string) => ({
  ...faults.get(name),
  evidence: evidenceBy([shellCall(command)], ([answer = ""]) =>
    printedBy(answer) === "bad"
      ? [
          {
            ...{ object: { kind: "Pod", name: "cart" }, field: "", wrong: "", right: "", workload: "cart" },
            ...{ seen: "cause", mechanism: "packets-lost", systemLevel: "", faultType: "" },
          } as never,
        ]
      : [],
  ),
});
/** One whose cause is an object that may come and go, and one that stays. */
const library = [of("network-loss", "ping"), of("replicas-zero", "get")];

/** Whether it is found where `ping` fails in some rounds, and every call that is made. */
function find(badRounds: readonly number[], { tools = ["exec_shell", "wait"], isWatch = false } = {}) {
  const answers = new Map<string, string>();
  const calls: string[] = [];
  let pausesBefore = 0;
  for (;;) {
    const report = { environment: "shop", namespace: "shop" };
    const situation = { report, tools, answers, pausesBefore: isWatch ? null : pausesBefore };
    const step = diagnoseOften(situation, library);
    if (!isCall(step)) return { isFound: step.length > 0, calls };
    if (keyOf(step) === keyOf(askAgain)) {
      calls.push("40");
      answers.clear();
      pausesBefore += 1;
      continue;
    }
    const answer = answerCommand(String(step.arguments["command"]), (command) => {
      calls.push(command);
      return badRounds.includes(pausesBefore) && command === "ping" ? "bad" : "good";
    });
    answers.set(keyOf(step), answer);
  }
}

test("a fault that rests in the first round is found in a later one, and what cannot come and go is asked once", () => {
  expect(find([0])).toEqual({ isFound: true, calls: ["ping", "get"] });
  expect(find([2])).toEqual({ isFound: true, calls: ["ping", "get", "40", "ping", "40", "ping"] });
  expect(find([])).toEqual({
    isFound: false,
    calls: ["ping", "get", "40", "ping", "40", "ping", "40", "ping"],
  });
});

test("in a watch, and without a tool to wait, it is asked once", () => {
  expect(find([1], { isWatch: true })).toEqual({ isFound: false, calls: ["ping", "get"] });
  expect(find([1], { tools: ["exec_shell"] })).toEqual({ isFound: false, calls: ["ping", "get"] });
});

test("what a cause writes elsewhere is no cause of its own, and other fields of the same object are", () => {
  const finding = { wrong: "1Mi", right: "9Mi", workload: "cart", seen: "cause", mechanism: "faulty-code" };
  const cart = { kind: "Deployment", name: "cart" };
  const finds = (name: string, found: object) => ({
    ...faults.get(name),
    evidence: { next: () => [{ ...finding, systemLevel: "", faultType: "", ...found } as never] },
  });
  const setter = { object: { kind: "CronJob", name: "sizer" }, field: "spec.x" };
  const found = diagnose(
    { report: { environment: "shop", namespace: "shop" }, tools: [], answers: new Map() },
    [
      finds("cronjob-squeezes-memory", { ...setter, writes: [{ object: cart, field: ".limits.memory" }] }),
      finds("memory-limit-too-small", { object: cart, field: "spec.resources.limits.memory" }),
      finds("replicas-zero", { object: cart, field: "spec.replicas" }),
    ],
  );
  if (isCall(found)) throw new Error("nothing is to be asked");
  expect(found.map(({ fault }) => fault.name)).toEqual(["cronjob-squeezes-memory", "replicas-zero"]);
});
