import {
  appendLog,
  type ContainerRuntime,
  type Exec,
  type LogLine,
  type PodSandbox,
} from "@microremed/sim-machine";
import type { EventLoop } from "@microremed/sim-time";

/** Runs a container's own command in its simulated shell, into its log; gives the exit code. */
export type RunCommand = (
  sandbox: PodSandbox,
  container: ContainerRuntime,
  signal: AbortSignal,
) => Promise<number>;

/** The runtime's exit code for a command that can't be started. */
const notStarted = 127;

/** `exec` is asked for only when a command runs: it needs the kubelet itself. */
export function createRunCommand(loop: EventLoop, exec: () => Exec): RunCommand {
  return async (sandbox, container, signal) => {
    const decoder = new TextDecoder();
    const rest = { stdout: "", stderr: "" };
    const write = (stream: LogLine["stream"], chunk: Uint8Array | string): void => {
      const text =
        rest[stream] + (typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }));
      const lines = text.split("\n");
      rest[stream] = lines.pop() ?? "";
      container.terminal?.print(stream, chunk);
      for (const line of lines) appendLog(container, { at: loop.now(), stream, text: line });
    };
    const result = await exec()({
      namespace: sandbox.namespace,
      pod: sandbox.name,
      container: container.name,
      // An image whose program is not known has a shell.
      command: container.command.length > 0 ? container.command : ["sh"],
      stdin: container.terminal?.input,
      tty: container.terminal?.tty ?? false,
      isMain: true,
      stdout: (chunk) => write("stdout", chunk),
      stderr: (chunk) => write("stderr", chunk),
      signal,
    });
    for (const stream of ["stdout", "stderr"] as const) if (rest[stream]) write(stream, "\n");
    if ("exitCode" in result) return result.exitCode;
    appendLog(container, { at: loop.now(), stream: "stderr", text: result.error });
    return notStarted;
  };
}
