import type { ProbeReply } from "@microremed/contracts";
import { clipMiddle } from "@microremed/core";
import { memoryOf, type ReviewRequest, runConfined, type Sandbox } from "@microremed/sandbox";
import { checkProbe } from "../check-probe.ts";
import { keptOutput } from "../kept-output.ts";
import type { CommandRun, ProbeRun, Prober, TelemetryRun } from "../probe.types.ts";
import { reviewReading } from "../reading-requests.ts";
import type { Question } from "../telemetry/question.ts";
import { questionOf } from "../telemetry/question-of.ts";

interface Sandboxed {
  readonly sandbox: Sandbox;
}

/** Reads arenas with the real kubectl in a sandbox. */
export function createSandboxedProber(sandbox: Sandbox): Prober {
  return {
    runProbe: (run) => runProbe({ ...run, sandbox }),
    runReading: (run) => runReading({ ...run, sandbox }),
    runCommand: (run) => runCommand({ ...run, sandbox }),
    runTelemetry: (run) => runTelemetry({ ...run, sandbox }),
  };
}

/** Runs one reading shell command in the sandbox, or refuses it and says why. */
export async function runProbe(run: ProbeRun & Sandboxed): Promise<ProbeReply> {
  const refusal = await checkProbe(run.command);
  if (refusal !== undefined) return { status: "refused", exitCode: null, output: refusal };
  return runReading(run);
}

/** Runs one shell command that may do nothing but read, whatever its text says. It is refused where any request of it was. */
async function runReading(run: ProbeRun & Sandboxed): Promise<ProbeReply> {
  const refusals: string[] = [];
  const reply = await answer(run, { argv: ["/bin/bash", "-c", run.command] }, async (request) => {
    const refusal = await reviewReading(request);
    if (refusal !== undefined && refusals.length === 0) refusals.push(refusal);
    return refusal;
  });
  const [refusal] = refusals;
  return refusal === undefined ? reply : { status: "refused", exitCode: null, output: refusal };
}

/** Runs one shell command in the sandbox, with whatever rights its credentials have. */
export async function runCommand(run: CommandRun & Sandboxed): Promise<ProbeReply> {
  return answer(run, { argv: ["/bin/bash", "-c", run.command] });
}

/** Asks an arena's telemetry, in the sandbox too. */
export async function runTelemetry(run: TelemetryRun & Sandboxed): Promise<ProbeReply> {
  return answer(run, questionOf(run.probe), reviewReading);
}

async function answer(
  run: (ProbeRun | CommandRun | TelemetryRun) & Sandboxed,
  { argv, render }: Question,
  review?: ReviewRequest,
): Promise<ProbeReply> {
  const { kubeconfig, timeoutMs, signal, sandbox, maxOutput = keptOutput } = run;
  const end = await runConfined({
    kubeconfig,
    timeoutMs,
    sandbox,
    ...(signal && { signal }),
    ...("mayPass" in run && run.mayPass && { mayPass: run.mayPass }),
    ...("onUnreachable" in run && run.onUnreachable && { onUnreachable: run.onUnreachable }),
    ...(review && { review }),
    argv,
    files: {},
  });
  const note = {
    exited: "",
    "timed-out": `\n[stopped: still running after ${timeoutMs / 1000} s]`,
    flooded: "\n[stopped: it printed more than 64 MiB]",
    stopped: "\n[stopped]",
    exhausted: `\n[stopped: it used more than ${memoryOf(sandbox)} of memory]`,
  }[end.how];
  const printed = end.exitCode === 0 && render ? render(end.output) : end.output;
  return {
    status: end.how === "timed-out" ? "timed-out" : end.exitCode === 0 ? "ok" : "failed",
    exitCode: end.exitCode,
    output: clipMiddle(`${printed}${note}`, maxOutput),
  };
}
