import { parseQuantity } from "@microremed/cluster";
import type { Container } from "../pods/pod.types.ts";
import type { MemoryBounds, MemoryGroup } from "./machine/memory-bounds.ts";

/** The most that the containers of one name used, beside what their manifest allows each. */
export interface MemoryUse {
  /** `<workload>/<container>`. */
  readonly container: string;
  readonly limitBytes: number;
  readonly peakBytes: number;
  /** Times that the OOM killer killed a process. */
  readonly kills: number;
}

/** Bounds containers by their limits, and remembers what they used. */
export interface MemoryWatch {
  /** The words that start a container of a pod in its bounds; none where memory cannot be bounded. */
  enter(workload: string, pod: string, container: Container): Promise<readonly string[]>;
  check(): Promise<void>;
  uses(): readonly MemoryUse[];
}

interface Known {
  readonly group: MemoryGroup;
  readonly container: string;
  readonly limitBytes: number;
  peakBytes: number;
  kills: number;
}

export function createMemoryWatch(bounds: MemoryBounds | undefined): MemoryWatch {
  const known = new Map<string, Known>();
  return {
    async enter(workload, pod, { name, resources }) {
      const limitBytes = parseQuantity(resources?.limits?.["memory"]);
      if (!bounds || limitBytes === undefined) return [];
      const id = `${pod}.${name}`;
      const found = known.get(id);
      if (found) return found.group.enter;
      const group = await bounds.group(id, limitBytes);
      known.set(id, { group, container: `${workload}/${name}`, limitBytes, peakBytes: 0, kills: 0 });
      return group.enter;
    },
    async check() {
      await Promise.all(
        [...known.values()].map(async (one) => {
          const [used, kills] = await Promise.all([one.group.used(), one.group.kills()]);
          one.peakBytes = Math.max(one.peakBytes, used);
          one.kills = Math.max(one.kills, kills);
        }),
      );
    },
    uses() {
      const byContainer = Map.groupBy(known.values(), ({ container }) => container);
      return [...byContainer].map(([container, all]) => ({
        container,
        limitBytes: all[0]?.limitBytes ?? 0,
        peakBytes: Math.max(...all.map(({ peakBytes }) => peakBytes)),
        kills: all.reduce((sum, { kills }) => sum + kills, 0),
      }));
    },
  };
}
