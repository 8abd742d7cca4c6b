import type { Execution } from "@microremed/contracts";
import { clipMiddle, type Logger, terminal } from "@microremed/core";
import { inventory } from "./ansible-files.ts";
import { checkPlaybook, type Violation } from "./guard/check-playbook.ts";
import type { GuardContext } from "./guard/rule.ts";
import { parsePlaybook } from "./parse-playbook.ts";
import { runConfined } from "./run-confined.ts";
import type { ProcessEnd } from "./run-process.ts";
import { detectSandbox } from "./sandbox.ts";
import type { Sandbox } from "./sandbox.types.ts";
import type { WarmRunner } from "./warm/warm-runner.ts";

export interface PlaybookRun {
  readonly playbook: string;
  /** YAML text; the only credentials that the playbook gets. */
  readonly kubeconfig: string;
  /** What the playbook is checked against before it runs. Default: nothing. */
  readonly guard?: GuardContext & { readonly policyName: string };
  /** Wall clock, ms. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Awaited before anything goes out to the API server; once it throws, nothing does any more. Needs a network of its own. */
  readonly mayPass?: () => Promise<void>;
  readonly log: Logger;
  /** Characters of output kept. Default 32 KiB. */
  readonly maxOutput?: number;
  readonly sandbox?: Sandbox;
  /** Saves the start of Ansible. Default: the plain command, to which it is equal. */
  readonly warm?: Pick<WarmRunner, "connect"> | undefined;
}

const MAX_OUTPUT = 32 * 1024;

/**
 * Runs `ansible-playbook -i inventory.ini remediation.yml` in the sandbox. Whatever the playbook is or does, the
 * answer is an Execution; thrown is only what is nobody's playbook's fault: `missing-tool`, or the signal's reason.
 */
export async function runPlaybook(run: PlaybookRun): Promise<Execution> {
  const maxOutput = run.maxOutput ?? MAX_OUTPUT;
  const parsed = parsePlaybook(run.playbook);
  if (!parsed.ok) return rejected("playbook", `The playbook was not run: ${parsed.reason}.`, maxOutput);
  if (run.guard) {
    const violations = checkPlaybook(parsed.plays, run.guard);
    const [first] = violations;
    if (first) return rejected(first.rule, explainViolations(violations, run.guard.policyName), maxOutput);
  }
  const sandbox = run.sandbox ?? (await detectSandbox(run.log, process.env["PATH"] ?? ""));
  // Asked before: a playbook can end with any exit code that it likes, also with a shell's for a missing program.
  if (!sandbox.tools.ansible)
    throw terminal("missing-tool", "ansible-playbook is not installed; run scripts/setup");
  const end = await runConfined({
    ...run,
    sandbox,
    argv: ["ansible-playbook", "-i", "inventory.ini", "remediation.yml"],
    files: { "remediation.yml": parsed.text, "inventory.ini": inventory },
  });
  run.log.debug({ how: end.how, exitCode: end.exitCode, wallSeconds: end.wallSeconds }, "playbook ended");
  return {
    status: statusOf(end),
    exitCode: end.exitCode,
    output: clipMiddle(explain(end, run.timeoutMs), maxOutput),
    wallSeconds: end.wallSeconds,
  };
}

function rejected(rule: string, why: string, maxOutput: number): Execution {
  return { status: "rejected", exitCode: null, output: clipMiddle(why, maxOutput), wallSeconds: 0, rule };
}

function explainViolations(violations: readonly Violation[], policy: string): string {
  const list = violations.map(({ rule, place, message }) => `- ${place}: ${message} (rule ${rule})`);
  return [`The playbook was not run: the policy "${policy}" does not allow it.`, ...list].join("\n");
}

function statusOf(end: ProcessEnd): Execution["status"] {
  if (end.how === "timed-out") return "timed-out";
  return end.exitCode === 0 ? "ok" : "failed";
}

function explain(end: ProcessEnd, timeoutMs: number): string {
  if (end.how === "timed-out") return `${end.output}\n[stopped: still running after ${timeoutMs / 1000} s]`;
  if (end.how === "flooded") return `${end.output}\n[stopped: it printed more than 64 MiB]`;
  if (end.how === "exhausted") return `${end.output}\n[stopped: it used more than 1 GiB of memory]`;
  return end.output;
}
