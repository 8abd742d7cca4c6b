import {
  defineOracle,
  judgeUsage,
  memoryMeter,
  readUsage,
  usageBaseline,
  usageSymptom,
} from "@microremed/catalogue";

/** The target container's memory usage is back at its baseline, under limits that still stand. */
export default defineOracle({
  name: "memory",
  description: "the memory usage of every replica is as before, with its limits in place",
  cost: 15,
  baseline: (round) => usageBaseline(memoryMeter, round),
  measure: async (round) =>
    judgeUsage(memoryMeter, await readUsage(memoryMeter, round), round.context, round.state.at),
  symptom: async (round) =>
    usageSymptom(memoryMeter, await readUsage(memoryMeter, round), round.context.baseline, round.state.at),
});
