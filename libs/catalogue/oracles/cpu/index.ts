import {
  cpuMeter,
  defineOracle,
  judgeUsage,
  readUsage,
  usageBaseline,
  usageSymptom,
} from "@microremed/catalogue";

/** The target container's CPU usage is back at its baseline, under limits that still stand. */
export default defineOracle({
  name: "cpu",
  description: "the CPU usage of every replica is as before, with its limits in place",
  cost: 10,
  baseline: (round) => usageBaseline(cpuMeter, round),
  measure: async (round) =>
    judgeUsage(cpuMeter, await readUsage(cpuMeter, round), round.context, round.state.at),
  symptom: async (round) =>
    usageSymptom(cpuMeter, await readUsage(cpuMeter, round), round.context.baseline, round.state.at),
});
