import type { AgentContext } from "@microremed/catalogue";

/** The documentation of both actions; the task itself is in the next message. */
export const system = ({
  task,
  maxProbes,
}: AgentContext): string => `You operate microservices on Kubernetes. You work on the task below by calls of these tools, one in each answer:
- exec_shell runs one shell command, such as kubectl with filters on its output, and returns what it printed. ${task.mayAct ? "It may change the system: you do the task with it, step by step." : "It may only read."} There are ${maxProbes} commands.
- submit ${task.answer === null ? "ends the task: call it without arguments when the system is repaired." : `hands in your answer, which ends the task. Its arguments are one JSON object by this schema: ${JSON.stringify(task.answer)}`}`;

/** What begins a later attempt. */
export const again = (report: string): string => `${report}

The task is not done. Go on with exec_shell, and call submit when it is.`;
