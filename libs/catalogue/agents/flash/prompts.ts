import type { AgentContext, ChatMessage } from "@microremed/catalogue";

/** Messages, and characters of each, that the second call sees; and of the newest observation. As AIOpsLab has them. */
const seen = { messages: 5, characters: 300, observation: 1_000 };

export const system = ({
  task,
  maxProbes,
}: AgentContext): string => `You are a site reliability engineer. You examine microservices on Kubernetes step by step: in every answer call one tool, and go on from what it returns. A reviewer adds a hindsight to each result; weigh it before your next step. There are ${maxProbes} calls.
${task.mayAct ? "exec_shell may change the system: repair it with commands." : "exec_shell may only read."}
${task.answer === null ? "When the system is repaired, call submit without arguments." : `When you know the answer, call submit. Its arguments are one JSON object by this schema: ${JSON.stringify(task.answer)}`}`;

export const unfinished = (report: string): string => `${report}

The task is not done. Go on, and call submit when it is.`;

/** The question of the second call: the last steps in short, and what has just come back. */
export function hindsight({ task }: AgentContext, said: readonly ChatMessage[]): string {
  const newest = said.at(-1)?.content ?? "";
  const steps = said.slice(-seen.messages - 1, -1).map((message) => `${message.role}: ${inShort(message)}`);
  return `An agent works on the task ${JSON.stringify(task.name)} in a system on Kubernetes. Look back on its last steps and say in at most three sentences whether it knows enough to submit now; if not, what it should look at or do next, and what it should not repeat.

# Its last steps
${steps.join("\n")}

# What has just come back
${newest.slice(0, seen.observation)}`;
}

function inShort(message: ChatMessage): string {
  const calls =
    message.role === "assistant"
      ? message.toolCalls.map(({ name, arguments: given }) => `${name} ${given}`)
      : [];
  return [message.content, ...calls].join(" ").trim().slice(0, seen.characters);
}
