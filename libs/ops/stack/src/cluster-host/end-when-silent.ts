import type { ChildProcess } from "node:child_process";
import { busyFactor } from "@microremed/core";

/** Why a process was ended, in words; undefined: it was not. Disposing stops watching. */
export interface LivenessWatch extends Disposable {
  readonly silence: string | undefined;
}

export interface LivenessOptions {
  /** How long a process may send nothing, ms, on an idle machine. */
  readonly silentMs?: number;
  /** Between two checks, ms. */
  readonly everyMs?: number;
}

/**
 * Kills a process that has sent no message for a minute, although it says every few seconds that it lives: it hangs, and
 * only it takes the commands for its clusters.
 */
export function endWhenSilent(
  child: ChildProcess,
  { silentMs = 60_000, everyMs = 5_000 }: LivenessOptions = {},
): LivenessWatch {
  let heardAt = performance.now();
  let checkedAt = heardAt;
  let silence: string | undefined;
  child.on("message", () => {
    heardAt = performance.now();
  });
  const timer = setInterval(() => {
    const now = performance.now();
    // This process was itself kept from running and has not read what was sent.
    if (now - checkedAt > 2 * everyMs) heardAt = now;
    checkedAt = now;
    if (silence !== undefined || now - heardAt <= silentMs * busyFactor()) return;
    silence = `it did not respond for ${Math.round((now - heardAt) / 1000)} s`;
    child.kill("SIGKILL");
  }, everyMs);
  timer.unref();
  return {
    get silence() {
      return silence;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
