/** What one task of a playbook came to on one host. */
export interface TaskResult {
  readonly task: string;
  /** Ansible's word: ok, changed, failed, skipping, unreachable, rescued or ignored. */
  readonly status: string;
  readonly host: string;
}

const heading = /^(?:TASK|RUNNING HANDLER) \[(?<task>.*)\] \*+$/;
const result =
  /^(?<status>ok|changed|fatal|failed|skipping|unreachable|ignored): \[(?<host>[^\]]+)\](?<rest>.*)$/;

/** The task results in the output of ansible-playbook; loops have one for each item. Bounded by the output's length. */
export function ansibleTasks(output: string): TaskResult[] {
  const found: TaskResult[] = [];
  let task = "";
  for (const line of output.split("\n")) {
    task = heading.exec(line)?.groups?.["task"] ?? task;
    const { status = "", host = "", rest = "" } = result.exec(line)?.groups ?? {};
    if (status === "") continue;
    found.push({ task, host, status: status === "fatal" ? fatalKind(rest) : status });
  }
  return found;
}

function fatalKind(rest: string): string {
  return rest.includes("UNREACHABLE!") ? "unreachable" : "failed";
}
