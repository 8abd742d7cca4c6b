import { runInThread as inThread, ScriptEnded, type ThreadHost } from "@microremed/shell-text";
import type { Printed, ShellOrder, ShellQuestion } from "./messages.types.ts";

/** What a script is given while it runs. */
export type ShellHost = ThreadHost<ShellQuestion, Printed>;

const program = new URL("./shell-thread.ts", import.meta.url).href;

/**
 * Runs a script in a thread of its own: what it computes delays no one in this process, and more than 10 s of CPU or 256 MiB of
 * memory end it with the code 137 and a message. Rejects if the shell itself fails, or is stopped by the signal.
 */
export async function runInThread(order: ShellOrder, host: ShellHost): Promise<Printed> {
  try {
    return await inThread<ShellOrder, ShellQuestion, Printed, Printed>(program, order, host);
  } catch (thrown) {
    if (!(thrown instanceof ScriptEnded)) throw thrown;
    return { stdout: "", stderr: `error: the script was ended: ${thrown.message}\n`, exitCode: 137 };
  }
}
