import { stageKeyText } from "../results.ts";
import { retention } from "../retention.ts";
import type { Starts } from "../starts.ts";
import type { MemoryLink } from "./memory-link.ts";

export function createStarts({ data, use }: MemoryLink): Starts {
  const { starts } = data;
  return {
    begin: (key) =>
      use(() => {
        const name = stageKeyText(key);
        if (starts.get(name) !== undefined) return false;
        starts.set(name, true, data.now() + retention.resultSeconds * 1000);
        return true;
      }),
  };
}
