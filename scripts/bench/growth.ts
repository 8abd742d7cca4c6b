import type { Benchmark, Row } from "./benchmark.ts";
import { startStubRange } from "./stub-range.ts";

const sizes = [100, 1_000, 10_000];

export const growth: Benchmark = {
  name: "growth",
  description: "cost per episode and memory as experiments grow from 100 to 10,000 episodes",
  run: async () => {
    await using range = await startStubRange();
    await range.measure(100);
    const rows: Row[] = [];
    for (const size of sizes) {
      const { seconds, submitSeconds, serviceCpuSeconds, schedulerMiB, redisMiB } = await range.measure(size);
      const of = `${size} episodes:`;
      rows.push(
        { what: `${of} per second`, value: size / seconds, unit: "1/s" },
        { what: `${of} CPU per episode`, value: (serviceCpuSeconds / size) * 1000, unit: "ms" },
        { what: `${of} until accepted`, value: submitSeconds, unit: "s" },
        { what: `${of} scheduler's memory`, value: schedulerMiB, unit: "MiB" },
        { what: `${of} Redis's memory, all sizes so far`, value: redisMiB, unit: "MiB" },
      );
    }
    return rows;
  },
};
