import type { Benchmark, Row } from "./benchmark.ts";
import { startStubRange } from "./stub-range.ts";

const sizes = [100, 1_000, 10_000, 100_000];
const million = 1_000_000;

export const growth: Benchmark = {
  name: "growth",
  description:
    "cost per episode and memory as experiments grow from 100 episodes to --largest; a million are only submitted",
  run: async ({ largest }) => {
    await using range = await startStubRange();
    await range.measure(100);
    const rows: Row[] = [];
    for (const size of sizes.filter((one) => one <= largest)) {
      const { seconds, submitSeconds, serviceCpuSeconds, serverCpuSeconds, memory } =
        await range.measure(size);
      const of = `${size} episodes:`;
      rows.push(
        { what: `${of} per second`, value: size / seconds, unit: "1/s" },
        { what: `${of} CPU per episode, services`, value: (serviceCpuSeconds / size) * 1000, unit: "ms" },
        {
          what: `${of} CPU per episode, NATS and Redis`,
          value: (serverCpuSeconds / size) * 1000,
          unit: "ms",
        },
        { what: `${of} until accepted`, value: submitSeconds, unit: "s" },
        { what: `${of} scheduler's memory`, value: memory.scheduler, unit: "MiB" },
        { what: `${of} NATS's memory`, value: memory.nats, unit: "MiB" },
        { what: `${of} Redis's memory, all sizes so far`, value: memory.redis, unit: "MiB" },
      );
    }
    const { submitSeconds, cancelSeconds, memory } = await range.begin(million);
    return [
      ...rows,
      { what: "a million episodes: until accepted", value: submitSeconds, unit: "s" },
      { what: "a million episodes: scheduler's memory, 5 s later", value: memory.scheduler, unit: "MiB" },
      { what: "a million episodes: NATS's memory", value: memory.nats, unit: "MiB" },
      { what: "a million episodes: Redis's memory, all sizes so far", value: memory.redis, unit: "MiB" },
      { what: "a million episodes: cancelled within", value: cancelSeconds, unit: "s" },
    ];
  },
};
