import type { Terminal } from "@microremed/sim-machine";
import type { ApiContext } from "../context/context.ts";
import type { ExecChannels } from "./exec-channels.ts";
import { execStatus } from "./exec-outcome.ts";

export interface StreamTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** Runs a command with its streams bound to a client. Never rejects: the client hears of every failure. */
export async function runExec(
  context: ApiContext,
  target: StreamTarget,
  command: readonly string[],
  tty: boolean,
  channels: ExecChannels,
): Promise<void> {
  try {
    const { stdin, stdout, stderr, drained, signal } = channels;
    const result = await context.exec({ ...target, command, stdin, tty, stdout, stderr, drained, signal });
    channels.finish(execStatus(result));
  } catch (error) {
    context.log.error({ error: String(error), ...target, command }, "exec failed");
    channels.finish(execStatus({ error: error instanceof Error ? error.message : String(error) }));
  }
}

/** Printed shortly before a client attached it is shown too: time may run fast while `kubectl run -i` connects. */
const attachSeconds = 60;

/** Binds a client to a container's open stdin until the container or the client goes. */
async function attachTo(terminal: Terminal, channels: ExecChannels): Promise<void> {
  const detach = terminal.attach((stream, chunk) => channels[stream](chunk));
  const type = async (typed: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of typed) terminal.input.push(chunk);
    if (terminal.once) terminal.input.end();
  };
  if (channels.stdin) void type(channels.stdin);
  await Promise.race([
    terminal.closed,
    new Promise((resolve) => channels.signal.addEventListener("abort", resolve, { once: true })),
  ]);
  detach();
  channels.finish(execStatus({ exitCode: 0 }));
}

/** Shows what the container's main process prints, and gives it what the client types if its stdin is open. */
export async function runAttach(
  context: ApiContext,
  target: StreamTarget,
  channels: ExecChannels,
): Promise<void> {
  const terminal = context.terminal?.(target);
  if (terminal) return await attachTo(terminal, channels);
  const options = { follow: true, previous: false, timestamps: false, sinceSeconds: attachSeconds };
  try {
    const text = context.logs(target, options, channels.signal);
    if (typeof text === "string") channels.stdout(text);
    else for await (const chunk of text) channels.stdout(chunk);
    channels.finish(execStatus({ exitCode: 0 }));
  } catch (error) {
    channels.finish(execStatus({ error: error instanceof Error ? error.message : String(error) }));
  }
}
