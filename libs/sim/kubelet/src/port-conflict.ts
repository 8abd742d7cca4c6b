import type { ContainerRuntime, PodSandbox } from "@microremed/sim-machine";

const portsOf = ({ behaviour }: ContainerRuntime): readonly number[] => behaviour?.listens ?? [];

/** Whether two programs of a pod want the same of its addresses. */
const overlap = (a: ContainerRuntime, b: ContainerRuntime): boolean =>
  a.boundTo === undefined || b.boundTo === undefined || a.boundTo === b.boundTo;

/**
 * Lets the program of a container listen once it has started, unless another of the pod listens on one of its ports: all
 * containers of a pod share its addresses. Returns that port; undefined: it listens, does not yet, or never will.
 */
export function listen(sandbox: PodSandbox, container: ContainerRuntime): number | undefined {
  if (container.isListening || container.isDialling || container.init) return undefined;
  if (container.startupLeft > 0) return undefined;
  const ports = portsOf(container);
  if (ports.length === 0) return undefined;
  for (const other of sandbox.containers.values()) {
    if (other === container || !other.isListening || !overlap(other, container)) continue;
    const taken = ports.find((port) => portsOf(other).includes(port));
    if (taken !== undefined) return taken;
  }
  container.isListening = true;
  return undefined;
}

type Runtime = NonNullable<ContainerRuntime["behaviour"]>["runtime"];

/** What programs say who find their port taken, by their runtime. */
const words: Partial<Record<Runtime, (port: number) => string>> = {
  go: (port) => `listen tcp :${port}: bind: address already in use`,
  java: (port) => `java.net.BindException: Address already in use: bind to port ${port} failed`,
  node: (port) => `Error: listen EADDRINUSE: address already in use :::${port}`,
  python: (port) => `OSError: [Errno 98] Address already in use: port ${port}`,
  dotnet: (port) =>
    `System.IO.IOException: Failed to bind to address http://[::]:${port}: address already in use.`,
  nginx: (port) => `nginx: [emerg] bind() to 0.0.0.0:${port} failed (98: Address already in use)`,
  redis: (port) => `Could not create server TCP listening socket *:${port}: bind: Address already in use`,
};

/** What a program says when its port is taken. */
export function portTaken({ behaviour }: ContainerRuntime, port: number): string {
  const say = behaviour && words[behaviour.runtime];
  return say?.(port) ?? `bind: port ${port}: Address already in use`;
}
