import type { Probe, ProbeReply } from "@microremed/contracts";
import { clipMiddle, type Logger } from "@microremed/core";
import { checkProbe } from "./check-probe.ts";
import { runConfined } from "./run-confined.ts";
import type { Sandbox } from "./sandbox.types.ts";
import type { Question } from "./telemetry/question.ts";
import { questionOf } from "./telemetry/question-of.ts";

/** What every look at an arena needs. */
interface LookRun {
  /** YAML text of read-only credentials: they, not the check of the command, are what keeps a probe from writing. */
  readonly kubeconfig: string;
  /** Wall clock, ms. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly log: Logger;
  /** Characters of output kept. Default 8 KiB. */
  readonly maxOutput?: number;
  readonly sandbox?: Sandbox;
}

export interface ProbeRun extends LookRun {
  readonly command: string;
}

export interface TelemetryRun extends LookRun {
  readonly probe: Exclude<Probe, { kind: "command" }>;
}

const MAX_OUTPUT = 8 * 1024;

/** Runs one reading shell command in the sandbox, or refuses it and says why. */
export async function runProbe(run: ProbeRun): Promise<ProbeReply> {
  const refusal = checkProbe(run.command);
  if (refusal !== undefined) return { status: "refused", exitCode: null, output: refusal };
  return look(run, { argv: ["/bin/bash", "-c", run.command] });
}

/** Asks an arena's telemetry, in the sandbox too. */
export async function runTelemetry(run: TelemetryRun): Promise<ProbeReply> {
  return look(run, questionOf(run.probe));
}

async function look(run: LookRun, question: Question): Promise<ProbeReply> {
  const end = await runConfined({ ...run, argv: question.argv, files: {} });
  const note = {
    exited: "",
    "timed-out": `\n[stopped: still running after ${run.timeoutMs / 1000} s]`,
    flooded: "\n[stopped: it printed more than 64 MiB]",
    exhausted: "\n[stopped: it used more than 1 GiB of memory]",
  }[end.how];
  const told = end.exitCode === 0 && question.tell ? question.tell(end.output) : end.output;
  return {
    status: end.how === "timed-out" ? "timed-out" : end.exitCode === 0 ? "ok" : "failed",
    exitCode: end.exitCode,
    output: clipMiddle(`${told}${note}`, run.maxOutput ?? MAX_OUTPUT),
  };
}
