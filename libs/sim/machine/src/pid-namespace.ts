import type { ContainerRuntime, PodSandbox, Process } from "./machine.ts";

/** `pidsOf` of the containers of a pod with `shareProcessNamespace`. */
export const wholePod = "*";

/** A process as those who share its namespace see it. */
export interface SeenProcess {
  readonly process: Process;
  /** Undefined: it is the pod's own, which holds the shared namespace. */
  readonly container: ContainerRuntime | undefined;
}

const keyOf = ({ pidsOf, name }: Pick<ContainerRuntime, "pidsOf" | "name">): string => pidsOf ?? name;

/** All processes that a container's processes see, by their numbers. */
export function seenProcesses(
  sandbox: PodSandbox,
  container: Pick<ContainerRuntime, "pidsOf" | "name"> & { readonly startedAt: number },
): readonly SeenProcess[] {
  const key = keyOf(container);
  const peers = [...sandbox.containers.values()].filter((one) => keyOf(one) === key);
  const seen: SeenProcess[] = peers.flatMap((one) =>
    one.processes.map((process) => ({ process, container: one })),
  );
  if (key === wholePod) seen.push({ process: pauseAt(container.startedAt), container: undefined });
  return seen.sort((a, b) => a.process.pid - b.process.pid);
}

const pauseAt = (startedAt: number): Process => ({
  pid: 1,
  command: "/pause",
  kind: "main",
  user: "65535",
  startedAt,
  cpuDemand: 0,
  memoryBytes: 0,
});

/** The number of the next process in a container's namespace; one that starts has none of its own there yet. */
export const nextPid = (
  sandbox: PodSandbox,
  container: Pick<ContainerRuntime, "pidsOf" | "name"> & { readonly startedAt: number },
  starts = false,
): number => {
  const seen = seenProcesses(sandbox, container).filter(
    (one) => !starts || one.container?.name !== container.name,
  );
  return Math.max(0, ...seen.map(({ process }) => process.pid)) + 1;
};
