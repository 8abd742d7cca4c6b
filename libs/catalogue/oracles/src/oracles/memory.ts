import type { Oracle } from "../oracle.ts";
import { judgeUsage, memoryMeter, readUsage, usageBaseline, usageSymptom } from "../usage.ts";

/** The target container's memory usage is back at its baseline, under limits that still stand. */
export const memory: Oracle = {
  name: "memory",
  baseline: (round) => usageBaseline(memoryMeter, round),
  measure: async (round) =>
    judgeUsage(memoryMeter, await readUsage(memoryMeter, round), round.context, round.state.at),
  symptom: async (round) =>
    usageSymptom(memoryMeter, await readUsage(memoryMeter, round), round.context.baseline, round.state.at),
};
