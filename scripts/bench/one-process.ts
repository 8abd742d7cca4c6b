import { builtInCatalogue } from "@microremed/registry";
import { startInProcessRange } from "@microremed/stack/in-process";
import type { Benchmark } from "./benchmark.ts";
import { median } from "./median.ts";
import { runExperiment } from "./run-experiment.ts";

const environment = "simple-micro";
const rounds = 20;
const timeoutMs = 600_000;

/** The five services, their bus and state and an embedded cluster in this process, an episode after another. */
export const oneProcess: Benchmark = {
  name: "process",
  description: `an episode of ${environment} through five services in one process, without a socket`,
  run: async () => {
    const catalogue = await builtInCatalogue();
    const starting = cpu();
    await using range = await startInProcessRange({ catalogue, environments: [environment] });
    const start = starting();
    const episode = async (round: number): Promise<number> => {
      const id = `round-${round}`;
      const running = cpu();
      const request = { id, environment, model: "reference/runbook", failures: ["cpu-stress"] };
      await runExperiment(range.client, request, timeoutMs);
      return running();
    };
    const first = await episode(0);
    const others: number[] = [];
    for (let round = 1; round <= rounds; round++) others.push(await episode(round));
    return [
      { what: "start of the range, CPU", value: start, unit: "s" },
      { what: "first episode, deployment included, CPU", value: first, unit: "s" },
      { what: "each further episode, CPU", value: median(others), unit: "s" },
    ];
  },
};

/** Seconds of this process's CPU since it was called. */
function cpu(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
}
