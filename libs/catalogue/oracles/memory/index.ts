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
  description: "the memory usage of every replica is what it was, under limits that still stand",
  cost: 15,
  baseline: (round) => usageBaseline(memoryMeter, round),
  measure: async (round) =>
    judgeUsage(memoryMeter, await readUsage(memoryMeter, round), round.context, round.state.at),
  symptom: async (round) =>
    usageSymptom(memoryMeter, await readUsage(memoryMeter, round), round.context.baseline, round.state.at),
});
