import { type FailureReport, isWatchQuestion, parseFailureReport } from "@microremed/catalogue";
import { isJsonObject, parseJson } from "@microremed/core";
import type { ChatCompletionRequest, WireMessage } from "./chat-request.ts";
import { askAgain, isRefused, keyOf, type Situation } from "./policy.ts";
import { repairStart } from "./shell-move.ts";

const kubeName = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;

/** What the conversation says; undefined when it holds no failure report, or one that names nothing in Kubernetes. */
export function readSituation({ messages, tools, seed }: ChatCompletionRequest): Situation | undefined {
  const fromUser = messages.filter((message) => message.role === "user");
  const report = firstReport(fromUser);
  if (!report || !kubeName.test(report.namespace)) return undefined;
  // A target that is no workload has its kind: `service/till`. Its workload usually has the same name.
  const target = report.target?.replace(/^[a-z]+\//, "");
  if (target !== undefined && !kubeName.test(target)) return undefined;
  const has = (name: string): boolean => tools.some((tool) => tool.function.name === name);
  const sinceTurnBegan = messages.slice(messages.findLastIndex((message) => message.role === "user") + 1);
  return {
    report: { ...report, ...(target !== undefined && { target }) },
    // Each attempt is opened by one user message; in a cycle each task begins with the report again.
    attempt: fromUser.length - Math.max(0, fromUser.findLastIndex(reports)),
    seed: seed ?? 0,
    answer: answerOf(tools),
    tools: tools.map((tool) => tool.function.name),
    ...answersIn(messages),
    canProbe: has("probe_system") || has("exec_shell"),
    observations: sinceTurnBegan.flatMap((message) =>
      message.role === "tool" ? [message.content ?? ""] : [],
    ),
  };
}

/** Where nothing is asked `submit` takes nothing: it says that the agent is done. */
function answerOf(tools: ChatCompletionRequest["tools"]): Situation["answer"] {
  const schema = tools.find((tool) => tool.function.name === "submit")?.function.parameters;
  return schema && Object.keys(schema.properties ?? {}).length > 0 ? schema : null;
}

/**
 * The answers to all calls since the last one that changed the system, the last window of a watch, or the last pause. Asked
 * again on the same incident, a policy knows what it saw before.
 */
function answersIn(messages: readonly WireMessage[]): Pick<Situation, "answers" | "pausesBefore"> {
  const answers = new Map<string, string>();
  let pauses = 0;
  let hasRepaired = false;
  const keys = new Map<string, string>();
  for (const { role, content, tool_calls = [], tool_call_id = "" } of messages) {
    if (role === "user") hasRepaired = false;
    if (role === "user" && isWatchQuestion(content ?? "")) {
      answers.clear();
      pauses = Number.NaN;
    }
    for (const { id, function: called } of tool_calls) {
      const args: unknown = parseJson(called.arguments);
      if (isRepair(called.name, args)) {
        answers.clear();
        pauses = 0;
        hasRepaired = true;
      } else keys.set(id, JSON.stringify([called.name, args]));
    }
    const key = role === "tool" ? keys.get(tool_call_id) : undefined;
    if (key === keyOf(askAgain) && !isRefused(content ?? "")) {
      answers.clear();
      pauses += 1;
    } else if (key !== undefined) answers.set(key, content ?? "");
  }
  return { answers, pausesBefore: hasRepaired || Number.isNaN(pauses) ? null : pauses };
}

/** A playbook, or a command as `shellMove` writes it. */
function isRepair(name: string, args: unknown): boolean {
  if (name === "print_playbook") return true;
  const command = isJsonObject(args) ? args["command"] : undefined;
  return typeof command === "string" && command.startsWith(repairStart);
}

const reports = ({ content }: WireMessage): boolean => parseFailureReport(content ?? "") !== undefined;

function firstReport(messages: readonly WireMessage[]): FailureReport | undefined {
  for (const message of messages) {
    const report = parseFailureReport(message.content ?? "");
    if (report) return report;
  }
  return undefined;
}
