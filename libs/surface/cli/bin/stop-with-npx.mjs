// Old versions of Node must be able to read this file, too.
import { readFileSync } from "node:fs";

const everyMs = 500;

/**
 * Ends this process by SIGTERM when the npx that started it is gone. `npx` runs a command in a shell and passes signals on to
 * that alone: the shell ends, and what it ran would go on by itself. One that npx did not start may outlive its parent.
 */
export function stopWithNpx() {
  if (process.env.npm_command !== "exec") return;
  const begun = parents();
  const timer = setInterval(() => {
    if (parents() === begun) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, everyMs);
  timer.unref();
}

/** This process's parent, the shell, and on Linux the shell's, npx: whichever ends, another process takes its place. */
function parents() {
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, "utf8");
    return `${process.ppid} ${stat.slice(stat.lastIndexOf(")")).split(" ")[2]}`;
  } catch {
    return String(process.ppid);
  }
}
