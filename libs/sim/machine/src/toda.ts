import type { ContainerRuntime } from "./machine.ts";

/** Marks what toda put on a container. */
export const todaOwner = "toda";

/** What toda does on SIGTERM: the original mount comes back. */
export function unmountToda({ ioFaults, processes }: ContainerRuntime): void {
  ioFaults.splice(0, ioFaults.length, ...ioFaults.filter(({ owner }) => owner !== todaOwner));
  processes.splice(0, processes.length, ...processes.filter(({ owner }) => owner !== todaOwner));
}

/** ENOTCONN: what every call on a FUSE mount without its server answers. */
const notConnected = 107;

/** What SIGKILL does to toda: its mounts stay, dead, until the container is replaced. */
export function killToda(container: ContainerRuntime): void {
  const paths = new Set(
    container.ioFaults.filter(({ owner }) => owner === todaOwner).map(({ volumePath }) => volumePath),
  );
  unmountToda(container);
  for (const volumePath of paths)
    container.ioFaults.push({
      owner: "dead-mount",
      volumePath,
      percent: 100,
      delayMs: 0,
      errno: notConnected,
    });
}
