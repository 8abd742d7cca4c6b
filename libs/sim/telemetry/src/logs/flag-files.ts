import { type ContainerRuntime, type FlagdState, flagdState, type PodSandbox } from "@microremed/sim-machine";
import type { EventLoop } from "@microremed/sim-time";
import type { Level } from "./log-styles.ts";

/** What flagd says of the file that it follows. */
export interface FlagFiles {
  /** Since the last call; of other programs nothing. */
  notes(sandbox: PodSandbox, container: ContainerRuntime): [Level, string][];
  /** Forgets all other containers. */
  retain(running: ReadonlySet<ContainerRuntime>): void;
}

const file = "file/filepath_sync.go";
const runtime = "runtime/runtime.go";

export function watchFlagFiles({ keep }: Pick<EventLoop, "keep">): FlagFiles {
  const known = keep(new Map<ContainerRuntime, FlagdState>());
  return {
    notes(sandbox, container) {
      if (container.behaviour?.runtime !== "flagd" || container.startupLeft > 0) return [];
      const now = flagdState(sandbox, container);
      const before = known.get(container);
      if (before === now) return [];
      known.set(container, now);
      const what = before ? `filepath event: ${now.path} WRITE` : `watching filepath: ${now.path}`;
      const said: [Level, string][] = [["info", `${file}\t${what}`]];
      if (now.source === undefined) said.push(["error", `${file}\tno such file: ${now.path}`]);
      if (now.error !== undefined) said.push(["error", `${runtime}\t${now.error}`]);
      return said;
    },
    retain(running) {
      for (const container of known.keys()) if (!running.has(container)) known.delete(container);
    },
  };
}
