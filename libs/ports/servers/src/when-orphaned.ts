import { spawn } from "node:child_process";

/** Keeps watch until it is released. */
export interface OrphanGuard {
  release(): void;
}

/**
 * Runs a shell script when this process ends without having released the guard, however it ends: SIGKILL and a crash
 * included. A small `sh` waits for that at the end of a pipe, which the kernel closes with this process.
 * It has a session of its own, so that Ctrl-C in the terminal does not end the guard together with the guarded.
 */
export function whenOrphaned(script: string, args: readonly string[]): OrphanGuard {
  const guard = spawn("/bin/sh", ["-c", `read -r _ || { ${script}; }`, "microremed-guard", ...args], {
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  // Without a shell there is no guard, and everything else works.
  guard.on("error", () => {});
  guard.stdin.on("error", () => {});
  guard.unref();
  return { release: () => guard.stdin.end("released\n") };
}

/** Ends the process "$1": by SIGTERM, and by SIGKILL when that has not helped within three seconds. */
export const endProcess =
  'kill "$1"; for _ in 1 2 3; do kill -0 "$1" || break; sleep 1; done; kill -0 "$1" && kill -9 "$1"';
