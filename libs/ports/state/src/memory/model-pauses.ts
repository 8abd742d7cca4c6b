import { ModelPause } from "@microremed/contracts";
import { type ModelPauses, parsePausedName, pausedName } from "../model-pauses.ts";
import { parseStored } from "../stored.ts";
import type { MemoryLink } from "./memory-link.ts";

export function createModelPauses({ data, use }: MemoryLink): ModelPauses {
  const { paused } = data;
  return {
    begin: (model, pause) =>
      use(() => {
        const name = pausedName(model);
        if (paused.has(name)) return false;
        paused.set(name, JSON.stringify(pause));
        return true;
      }),
    update: (model, pause) => use(() => void paused.set(pausedName(model), JSON.stringify(pause))),
    list: () =>
      use(() =>
        [...paused].map(([name, text]) => ({
          ...parsePausedName(name),
          pause: parseStored(ModelPause, `pause of ${name}`, text),
        })),
      ),
    end: (model) => use(() => paused.delete(pausedName(model))),
  };
}
