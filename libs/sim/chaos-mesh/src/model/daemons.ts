import { type ContainerRuntime, type Machine, unmountToda } from "@microremed/sim-machine";
import type { EventLoop } from "@microremed/sim-time";

/** The chaos-daemons, one per node: what they started dies with them, what they know they forget. */
export interface Daemons {
  /** How often a node's daemon has been restarted: what was begun at another number is forgotten. */
  generation(node: string): number;
  restart(node: string): void;
}

export function createDaemons(loop: EventLoop, machine: Machine): Daemons {
  const generations = loop.keep(new Map<string, number>());
  const generation = (node: string): number => generations.get(node) ?? 0;
  return {
    generation,
    restart(node) {
      generations.set(node, generation(node) + 1);
      for (const sandbox of machine.sandboxes.values())
        if (sandbox.nodeName === node)
          for (const container of sandbox.containers.values()) endChildren(container);
    },
  };
}

/** Children get SIGTERM when their daemon dies (Pdeathsig): stressors end, toda unmounts, the proxy goes. */
function endChildren(container: ContainerRuntime): void {
  unmountToda(container);
  const rest = container.processes.filter(({ owner }) => owner === undefined);
  container.processes.splice(0, container.processes.length, ...rest);
  container.httpFaults.splice(0);
}
