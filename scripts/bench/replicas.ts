import type { Benchmark, Row } from "./benchmark.ts";
import { startStubRange } from "./stub-range.ts";

const counts = [1, 2, 3, 4];
const episodes = 1_000;

export const replicas: Benchmark = {
  name: "replicas",
  description: "episodes per second with 1 to 4 schedulers (and 2 stage processes)",
  run: async () => {
    const rows: Row[] = [];
    for (const schedulers of counts) {
      await using range = await startStubRange({ schedulers, stages: 2 });
      await range.measure(100);
      const { seconds, serviceCpuSeconds } = await range.measure(episodes);
      const of = `${schedulers} scheduler${schedulers === 1 ? "" : "s"}:`;
      rows.push(
        { what: `${of} per second`, value: episodes / seconds, unit: "1/s" },
        { what: `${of} CPU per episode`, value: (serviceCpuSeconds / episodes) * 1000, unit: "ms" },
      );
    }
    return rows;
  },
};
