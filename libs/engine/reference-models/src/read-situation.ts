import { type FailureReport, parseFailureReport } from "@microremed/catalogue";
import type { ChatCompletionRequest, WireMessage } from "./chat-request.ts";
import type { Situation } from "./policy.ts";

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
    // Each attempt is opened by one user message.
    attempt: fromUser.length,
    seed: seed ?? 0,
    answer: answerOf(tools),
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

function firstReport(messages: readonly WireMessage[]): FailureReport | undefined {
  for (const message of messages) {
    const report = parseFailureReport(message.content ?? "");
    if (report) return report;
  }
  return undefined;
}
