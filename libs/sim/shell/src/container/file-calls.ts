import { type ContainerRuntime, normalized } from "@microremed/sim-machine";
import { errnoName, FileError } from "./file-error.ts";
import { ioOutcome } from "./io-faults.ts";
import type { ShellDeps } from "./shell-deps.types.ts";

/** System calls on a container's files: those on a faulted mount wait and fail. */
export interface FileCalls {
  /** Delay and errno of one more call on a path, for programs that make many. */
  meets(path: string, method: string): { readonly delayMs: number; readonly errno: number | undefined };
  /** Cluster time that calls have waited so far, ms: exact, where the clock overshoots while time runs fast. */
  waitedMs(): number;
  /** Makes calls one after the other. */
  call(path: string, ...methods: string[]): Promise<void>;
}

export function createFileCalls(
  deps: ShellDeps,
  container: ContainerRuntime,
  signal: AbortSignal,
): FileCalls {
  const meets = (path: string, method: string) => ioOutcome(container, normalized(path), method, deps.rng);

  let waited = 0;
  async function call(path: string, ...methods: string[]): Promise<void> {
    for (const method of methods) {
      const { delayMs, errno } = meets(path, method);
      waited += delayMs;
      if (delayMs > 0) await deps.loop.sleep(delayMs, signal);
      if (errno !== undefined) throw new FileError(errnoName(errno), method, path);
    }
  }

  return { meets, call, waitedMs: () => waited };
}
