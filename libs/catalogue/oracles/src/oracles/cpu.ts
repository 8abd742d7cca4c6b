import type { Oracle } from "../oracle.ts";
import { cpuMeter, judgeUsage, readUsage, usageBaseline, usageSymptom } from "../usage.ts";

/** The target container's CPU usage is back at its baseline, under limits that still stand. */
export const cpu: Oracle = {
  name: "cpu",
  baseline: (round) => usageBaseline(cpuMeter, round),
  measure: async (round) =>
    judgeUsage(cpuMeter, await readUsage(cpuMeter, round), round.context, round.state.at),
  symptom: async (round) =>
    usageSymptom(cpuMeter, await readUsage(cpuMeter, round), round.context.baseline, round.state.at),
};
