import type { ProbeReply } from "@microremed/contracts";
import { clipMiddle, type Logger } from "@microremed/core";
import { checkProbe } from "./check-probe.ts";
import { runConfined } from "./run-confined.ts";
import type { Sandbox } from "./sandbox.types.ts";

export interface ProbeRun {
  readonly command: string;
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

const MAX_OUTPUT = 8 * 1024;

/** Runs one reading shell command in the sandbox, or refuses it and says why. */
export async function runProbe(run: ProbeRun): Promise<ProbeReply> {
  const refusal = checkProbe(run.command);
  if (refusal !== undefined) return { status: "refused", exitCode: null, output: refusal };
  const end = await runConfined({ ...run, argv: ["/bin/bash", "-c", run.command], files: {} });
  const note = {
    exited: "",
    "timed-out": `\n[stopped: still running after ${run.timeoutMs / 1000} s]`,
    flooded: "\n[stopped: it printed more than 64 MiB]",
    exhausted: "\n[stopped: it used more than 1 GiB of memory]",
  }[end.how];
  return {
    status: end.how === "timed-out" ? "timed-out" : end.exitCode === 0 ? "ok" : "failed",
    exitCode: end.exitCode,
    output: clipMiddle(`${end.output}${note}`, run.maxOutput ?? MAX_OUTPUT),
  };
}
