import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { connectNatsBus } from "@microremed/bus/nats";
import { silentLogger as log } from "@microremed/core";
import { createRangeClient } from "@microremed/range-client";
import { startOtlpReceiver } from "@microremed/service-kit/testing";
import { type Stack, startStack } from "@microremed/stack";
import type { Benchmark, Row } from "./benchmark.ts";
import { cpuSecondsOf } from "./cpu-seconds.ts";
import { episodeTimes } from "./episode-times.ts";
import { runExperiment } from "./run-experiment.ts";

const environment = "simple-micro";
const failures = [
  "cpu-stress",
  "memory-stress",
  "network-delay",
  "network-loss",
  "pod-fail",
  "pod-config-error",
];
const repeats = 2;
const arenas = 4;
const timeoutMs = 1_800_000;
/** Longer than the services keep their last spans. */
const exportMs = 1_000;

/** A local range as a user starts it: embedded clusters, real Ansible, a rule-based model. */
export const episode: Benchmark = {
  name: "episode",
  description: `where the wall time of an episode of ${environment} goes, by stage, wait and process`,
  run: async () => {
    await using stack = new AsyncDisposableStack();
    const dir = await mkdtemp(join(tmpdir(), "microremed-bench-"));
    stack.defer(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
    const receiver = stack.use(await startOtlpReceiver());
    const starting = performance.now();
    const range = stack.use(await startRange(dir, receiver.url));
    const startSeconds = (performance.now() - starting) / 1000;
    const before = cpuByProcess(range);
    const running = performance.now();
    const count = await runOne(
      range,
      [...Array(repeats)].flatMap(() => failures),
    );
    const seconds = (performance.now() - running) / 1000;
    const after = cpuByProcess(range);
    await new Promise((resolve) => setTimeout(resolve, exportMs));
    const times = episodeTimes(receiver.spans);
    if (times.length !== count)
      throw new Error(
        `spans of ${times.length} of ${count} episodes have arrived: the means would be of these alone`,
      );
    return [
      { what: "start of the range", value: startSeconds, unit: "s" },
      { what: `${count} episodes, ${arenas} at a time`, value: seconds, unit: "s" },
      ...partRows(times),
      ...cpuRows(before, after, count, seconds),
    ];
  },
};

async function startRange(dir: string, traces: string): Promise<Stack> {
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: traces,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_BSP_SCHEDULE_DELAY: "200",
  };
  const clusters = { environments: [environment], count: arenas, timeScale: 100, seed: 1 };
  return startStack({ clusters, dir, variables, log });
}

async function runOne(
  { natsUrl: servers, natsUser: user, natsPassword: password }: Stack,
  some: readonly string[],
): Promise<number> {
  await using client = createRangeClient(
    await connectNatsBus({ servers, user, password, name: "bench", log }),
  );
  const id = "bench";
  const model = "reference/runbook";
  const request = { id, environment, model, method: "SoloGen", failures: [...some], seed: 1 };
  await runExperiment(client, request, timeoutMs);
  return some.length;
}

/** Means over the episodes, in the order of an episode; parts under 1 % are together. */
function partRows(episodes: ReturnType<typeof episodeTimes>): Row[] {
  const names = [...new Set(episodes.flatMap((one) => [...one.keys()]))];
  const mean = (name: string): number =>
    episodes.reduce((sum, one) => sum + (one.get(name) ?? 0), 0) / episodes.length / 1000;
  const whole = names.reduce((sum, name) => sum + mean(name), 0);
  const [large, small] = [names.filter(isLarge), names.filter((name) => !isLarge(name))];
  function isLarge(name: string): boolean {
    return Math.abs(mean(name)) >= whole / 100;
  }
  return [
    { what: "an episode's wall time", value: whole, unit: "s" },
    ...large.map((name) => ({ what: `  ${name}`, value: mean(name), unit: "s" })),
    {
      what: `  ${small.length} parts of less than 1 % each`,
      value: small.reduce((sum, name) => sum + mean(name), 0),
      unit: "s",
    },
  ];
}

function cpuRows(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  count: number,
  seconds: number,
): Row[] {
  const used = [...after].map(([name, cpu]) => [name, cpu - (before.get(name) ?? 0)] as const);
  const all = used.reduce((sum, [, cpu]) => sum + cpu, 0);
  return [
    { what: "CPU per episode", value: all / count, unit: "s" },
    ...used.map(([name, cpu]) => ({ what: `  ${name}`, value: cpu / count, unit: "s" })),
    { what: "share of all cores in use", value: all / seconds / cpus().length, unit: "" },
  ];
}

/** CPU so far, s, of each process of the range with the programs that it has run and that have ended. */
function cpuByProcess({ services, servers, clusterPids }: Stack): ReadonlyMap<string, number> {
  const hosts = new Set(clusterPids.values());
  const own = services.filter(({ pid }) => pid === undefined || !hosts.has(pid));
  return new Map([
    ["embedded clusters with injector, executor, verifier", cpuSecondsOf([...hosts])] as const,
    ...own.map(({ name, pid }) => [name, cpuSecondsOf([pid])] as const),
    ...servers.map(({ name, pid }) => [name, cpuSecondsOf([pid])] as const),
  ]);
}
