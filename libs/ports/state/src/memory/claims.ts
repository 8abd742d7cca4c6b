import { StageResult } from "@microremed/contracts";
import { arenaName } from "../arenas.ts";
import type { ClaimKey, Claims } from "../claims.ts";
import { stageKeyText } from "../results.ts";
import { parseStored } from "../stored.ts";
import type { MemoryLink } from "./memory-link.ts";

export function createClaims({ data, use }: MemoryLink): Claims {
  const { claims, results } = data;
  const fenceOf = ({ arena }: ClaimKey): number => data.arenas.get(arenaName(arena))?.fence ?? 0;
  return {
    take: (key, holder, claimMs) =>
      use(() => {
        const name = stageKeyText(key);
        const result = results.get(name);
        if (result !== undefined) {
          return { status: "done", result: parseStored(StageResult, `result ${name}`, result) };
        }
        const fence = fenceOf(key);
        if (fence !== key.arena.fence) return { status: "stale", fence };
        if (claims.get(name) !== undefined) {
          return { status: "busy", forMs: Math.ceil((claims.endOf(name) ?? 0) - data.now()) };
        }
        claims.set(name, holder, data.now() + claimMs);
        return { status: "taken" };
      }),
    renew: (key, holder, claimMs) =>
      use(() => {
        const name = stageKeyText(key);
        // A claim that is lost is not taken again, because another process may have worked meanwhile.
        if (claims.get(name) !== holder || fenceOf(key) !== key.arena.fence) return false;
        claims.set(name, holder, data.now() + claimMs);
        return true;
      }),
    isHeld: (key) => use(() => claims.get(stageKeyText(key)) !== undefined),
    release: (key, holder) =>
      use(() => {
        const name = stageKeyText(key);
        if (claims.get(name) === holder) claims.delete(name);
      }),
  };
}
