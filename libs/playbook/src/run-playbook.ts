import type { Execution } from "@microremed/contracts";
import { clipMiddle, type Logger, terminal } from "@microremed/core";
import { inventory } from "./ansible-files.ts";
import { parsePlaybook } from "./parse-playbook.ts";
import { runConfined } from "./run-confined.ts";
import type { ProcessEnd } from "./run-process.ts";
import type { Sandbox } from "./sandbox.ts";

export interface PlaybookRun {
  readonly playbook: string;
  /** YAML text; the only credentials that the playbook gets. */
  readonly kubeconfig: string;
  /** Wall clock, ms. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly log: Logger;
  /** Characters of output kept. Default 32 KiB. */
  readonly maxOutput?: number;
  readonly sandbox?: Sandbox;
}

const MAX_OUTPUT = 32 * 1024;

/**
 * Runs `ansible-playbook -i inventory.ini remediation.yml` in the sandbox. Whatever the playbook is or does, the
 * answer is an Execution; thrown is only what is nobody's playbook's fault: `missing-tool`, or the signal's reason.
 */
export async function runPlaybook(run: PlaybookRun): Promise<Execution> {
  const parsed = parsePlaybook(run.playbook);
  if (!parsed.ok) {
    const output = `The playbook was not run: ${parsed.reason}.`;
    return {
      status: "rejected",
      exitCode: null,
      output: clipMiddle(output, run.maxOutput ?? MAX_OUTPUT),
      wallSeconds: 0,
    };
  }
  const end = await runConfined({
    ...run,
    argv: ["ansible-playbook", "-i", "inventory.ini", "remediation.yml"],
    files: { "remediation.yml": parsed.text, "inventory.ini": inventory },
  });
  // bash: 127 when there is no such program; Ansible itself never ends with it.
  if (end.exitCode === 127) {
    throw terminal(
      "missing-tool",
      `ansible-playbook could not be started: ${end.output.trim()}; run scripts/setup`,
    );
  }
  run.log.debug({ how: end.how, exitCode: end.exitCode, wallSeconds: end.wallSeconds }, "playbook ended");
  return {
    status: statusOf(end),
    exitCode: end.exitCode,
    output: clipMiddle(explain(end, run.timeoutMs), run.maxOutput ?? MAX_OUTPUT),
    wallSeconds: end.wallSeconds,
  };
}

function statusOf(end: ProcessEnd): Execution["status"] {
  if (end.how === "timed-out") return "timed-out";
  return end.exitCode === 0 ? "ok" : "failed";
}

function explain(end: ProcessEnd, timeoutMs: number): string {
  if (end.how === "timed-out") return `${end.output}\n[stopped: still running after ${timeoutMs / 1000} s]`;
  if (end.how === "flooded") return `${end.output}\n[stopped: it printed more than 64 MiB]`;
  return end.output;
}
