import { StageResult } from "@microremed/contracts";
import { type Results, stageKeyText } from "../results.ts";
import { retention } from "../retention.ts";
import { parseStored } from "../stored.ts";
import type { MemoryLink } from "./memory-link.ts";

export function createResults({ data, use, grow }: MemoryLink): Results {
  const read = (name: string): StageResult | undefined => {
    const text = data.results.get(name);
    return text === undefined ? undefined : parseStored(StageResult, `result ${name}`, text);
  };
  return {
    get: (key) => use(() => read(stageKeyText(key))),
    store: (result, holder) =>
      grow(() => {
        const name = stageKeyText(result);
        const stored = read(name);
        if (stored) return stored;
        if (data.claims.get(name) !== holder) return undefined;
        data.results.set(name, JSON.stringify(result), data.now() + retention.resultSeconds * 1000);
        data.claims.delete(name);
        return result;
      }),
  };
}
