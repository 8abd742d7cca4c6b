import type { EventLoop } from "@microremed/sim-time";

/** Pod addresses, one /24 per node. */
export interface IpPool {
  take(node: string): string;
  free(ip: string): void;
}

/** Last bytes of pods' addresses: .1 is the node's bridge, .255 the broadcast address. */
const first = 2;
const last = 254;

/** `prefixOf` gives a node's first three bytes, e.g. `10.244.1`. An address comes back only after all others. */
export function createIpPool({ keep }: Pick<EventLoop, "keep">, prefixOf: (node: string) => string): IpPool {
  const next = keep(new Map<string, number>());
  const used = keep(new Set<string>());
  return {
    take(node) {
      const prefix = prefixOf(node);
      let candidate = next.get(node) ?? first;
      for (let tries = first; tries <= last; tries += 1) {
        const ip = `${prefix}.${candidate}`;
        candidate = candidate >= last ? first : candidate + 1;
        if (used.has(ip)) continue;
        next.set(node, candidate);
        used.add(ip);
        return ip;
      }
      throw new RangeError(`node ${node} has no free pod address left`);
    },
    free: (ip) => {
      used.delete(ip);
    },
  };
}
