import { ClusterQuarantine } from "@microremed/contracts";
import type { ClusterHealth } from "../cluster-health.ts";
import { parseStored } from "../stored.ts";
import { addBlame } from "./blame.ts";
import type { MemoryLink } from "./memory-link.ts";

export function createClusterHealth({ data, use }: MemoryLink): ClusterHealth {
  const { suspected, quarantined } = data;
  return {
    blame: ({ cluster, key, weight }, limit, quarantine) =>
      use(() => {
        if (quarantined.has(cluster)) return false;
        const { blame, reached } = addBlame(suspected.get(cluster) ?? new Map(), { key, weight }, limit);
        if (!reached) suspected.set(cluster, blame);
        else {
          suspected.delete(cluster);
          quarantined.set(cluster, JSON.stringify(quarantine));
        }
        return reached;
      }),
    clear: (cluster) => use(() => void suspected.delete(cluster)),
    suspected: () => use(() => [...suspected.keys()]),
    quarantined: () =>
      use(() => {
        const read = (text: string, name: string): ClusterQuarantine =>
          parseStored(ClusterQuarantine, `quarantine of ${name}`, text);
        return new Map(quarantined.entries().map(([name, text]) => [name, read(text, name)]));
      }),
    release: (cluster) => use(() => quarantined.delete(cluster)),
  };
}
