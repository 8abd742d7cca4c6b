import type { Execution } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { memoryOf, type ProcessEnd, runConfined, type Sandbox, type Starter } from "@microremed/sandbox";
import { clipOutput, readPlaybook } from "../read-playbook.ts";
import type { PlaybookRun, PlaybookRunner } from "../runner.types.ts";
import { ansibleConfig, ansibleEnvironment, inventory } from "./ansible-files.ts";

/** Where playbooks run and how Ansible is started. */
export interface SandboxedRunnerOptions {
  readonly sandbox: Sandbox;
  /** Saves the start of Ansible. Default: the plain command, to which it is equal. */
  readonly warm?: Starter | undefined;
}

/** Runs playbooks with the real ansible-playbook in a sandbox. */
export function createSandboxedRunner(options: SandboxedRunnerOptions): PlaybookRunner {
  return (run) => runPlaybook({ ...run, ...options });
}

/** Runs `ansible-playbook -i inventory.ini remediation.yml`. Throws `missing-tool`, and the signal's reason. */
export async function runPlaybook(run: PlaybookRun & SandboxedRunnerOptions): Promise<Execution> {
  const { sandbox, warm: starter } = run;
  const read = await readPlaybook(run);
  if (!read.ok) return read.execution;
  // Asked before: a playbook can end with any exit code that it likes, also with a shell's for a missing program.
  if (!sandbox.tools.ansible)
    throw terminal("missing-tool", "ansible-playbook is not installed; run scripts/setup");
  const end = await runConfined({
    ...run,
    starter,
    argv: ["ansible-playbook", "-i", "inventory.ini", "remediation.yml"],
    files: (home) => ({
      "ansible.cfg": ansibleConfig(home),
      "remediation.yml": read.text,
      "inventory.ini": inventory,
    }),
    env: ansibleEnvironment,
  });
  run.log.debug({ how: end.how, exitCode: end.exitCode, wallSeconds: end.wallSeconds }, "playbook ended");
  return {
    status: statusOf(end),
    exitCode: end.exitCode,
    output: clipOutput(explain(end, run), run),
    wallSeconds: end.wallSeconds,
  };
}

function statusOf(end: ProcessEnd): Execution["status"] {
  if (end.how === "timed-out") return "timed-out";
  return end.exitCode === 0 ? "ok" : "failed";
}

function explain(end: ProcessEnd, { timeoutMs, sandbox }: PlaybookRun & SandboxedRunnerOptions): string {
  if (end.how === "timed-out") return `${end.output}\n[stopped: still running after ${timeoutMs / 1000} s]`;
  if (end.how === "flooded") return `${end.output}\n[stopped: it printed more than 64 MiB]`;
  if (end.how === "exhausted")
    return `${end.output}\n[stopped: it used more than ${memoryOf(sandbox)} of memory]`;
  return end.output;
}
