import type { Answer } from "./progress.ts";
import { playbookOf, printPlaybook } from "./tools.ts";
import { answerTokens } from "./turn.ts";

/** Why an answer holds no playbook, in words for the report. */
export function whyNoPlaybook(answer: Answer): string {
  const cut =
    (answer.usage?.completionTokens ?? 0) >= answerTokens ? `; it was cut at ${answerTokens} tokens` : "";
  return `${problem(answer)}${cut}`;
}

function problem(answer: Answer): string {
  if (answer.toolCalls.length === 0) {
    return answer.content.trim() === ""
      ? "the model's answer was empty"
      : "the model's answer held neither a tool call nor a playbook in a YAML block";
  }
  const printed = answer.toolCalls.find((call) => call.name === printPlaybook.name);
  const argument = printed && playbookOf(printed);
  if (argument && "problem" in argument) return `print_playbook was called wrongly. ${argument.problem}`;
  const names = answer.toolCalls.map((call) => call.name.slice(0, 50)).slice(0, 5);
  return `the model did not call print_playbook but ${names.join(", ")}`;
}
