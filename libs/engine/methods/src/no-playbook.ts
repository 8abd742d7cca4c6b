import type { Answer } from "./progress.ts";
import { playbookOf, printPlaybook } from "./tools.ts";

/** Ends of an answer that explain something, by the provider's name for them. */
const notes: Readonly<Record<string, string>> = {
  length: "it was cut at its limit of tokens",
  content_filter: "its provider's filter cut it",
  refusal: "the model refused to answer",
};

/** Why an answer holds no playbook, in words for the report. */
export function whyNoPlaybook(answer: Answer): string {
  const note = notes[answer.exchange?.finishReason ?? ""];
  return note === undefined ? problem(answer) : `${problem(answer)}; ${note}`;
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
