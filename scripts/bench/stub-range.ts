import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Bus } from "@microremed/bus";
import { connectNatsBus } from "@microremed/bus/nats";
import { silentLogger as log } from "@microremed/core";
import type { Stack } from "@microremed/stack";
import type { State } from "@microremed/state";
import { connectRedisState } from "@microremed/state/redis";
import { subjects } from "../../libs/contracts/src/index.ts";
import { startStubStack, untilEnded } from "../../libs/ops/disruption/src/index.ts";
import { cpuSecondsOf } from "./cpu-seconds.ts";
import { checkAccepted } from "./run-experiment.ts";

/** A running range whose stages answer at once: what is measured is the machinery. */
export interface StubRange extends AsyncDisposable {
  readonly stack: Stack;
  readonly bus: Bus;
  readonly state: State;
  measure(episodes: number): Promise<Measured>;
  /** Submits so many, and cancels them a while after they were accepted. */
  begin(episodes: number): Promise<Begun>;
  /** CPU time of NATS and Redis so far. */
  serverCpuSeconds(): number;
}

interface Measured {
  readonly seconds: number;
  /** From submitting to the answer that it is accepted. */
  readonly submitSeconds: number;
  /** CPU time of scheduler and stages, and of NATS and Redis. */
  readonly serviceCpuSeconds: number;
  readonly serverCpuSeconds: number;
  readonly memory: Memory;
}

interface Begun {
  readonly submitSeconds: number;
  readonly memory: Memory;
  /** From asking to cancel to the experiment's end. */
  readonly cancelSeconds: number;
}

/** Resident, MiB; of the schedulers the largest. */
interface Memory {
  readonly scheduler: number;
  readonly redis: number;
  readonly nats: number;
}

const timeoutMs = 7_200_000;
const beginMs = 5_000;

export async function startStubRange({ schedulers = 1, stages = 1 } = {}): Promise<StubRange> {
  await using started = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), "microremed-bench-"));
  started.defer(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  const stack = started.use(
    await startStubStack({ dir, ledger: "/dev/null", steps: 0, clusters: 4, schedulers, stages, log }),
  );
  const state = started.use(await connectRedisState({ url: stack.redisUrl, log }));
  const { natsUrl, natsUser, natsPassword } = stack;
  const bus = started.use(
    await connectNatsBus({ servers: natsUrl, user: natsUser, password: natsPassword, name: "bench", log }),
  );
  let round = 0;
  const services = () => stack.services.map(({ pid }) => pid);
  const servers = () => stack.servers.map(({ pid }) => pid);
  const submit = async (episodes: number): Promise<{ id: string; submitSeconds: number }> => {
    const id = `bench-${++round}`;
    const startedAt = performance.now();
    const failures = { random: episodes };
    const request = { id, environment: "simple-micro", model: "reference/noop", failures, maxParallel: 64 };
    const reply = await bus.submit(request, { timeoutMs });
    checkAccepted(reply);
    return { id, submitSeconds: (performance.now() - startedAt) / 1000 };
  };
  const memory = (): Memory => {
    const schedulers = stack.services.filter(({ name }) => name.startsWith("scheduler"));
    const server = (wanted: string): number =>
      memoryOf(stack.servers.find(({ name }) => name === wanted)?.pid ?? 0);
    return {
      scheduler: Math.max(...schedulers.map(({ pid }) => memoryOf(pid ?? 0))),
      redis: server("redis"),
      nats: server("nats"),
    };
  };
  const begin = async (episodes: number): Promise<Begun> => {
    const { id, submitSeconds } = await submit(episodes);
    await delay(beginMs);
    const found = memory();
    const startedAt = performance.now();
    await bus.publish(subjects.cancel, { experimentId: id }, { msgId: `${id}/cancel` });
    await untilEnded(state, id, timeoutMs);
    return { submitSeconds, memory: found, cancelSeconds: (performance.now() - startedAt) / 1000 };
  };
  const measure = async (episodes: number): Promise<Measured> => {
    const before = { services: cpuSecondsOf(services()), servers: cpuSecondsOf(servers()) };
    const startedAt = performance.now();
    const { id, submitSeconds } = await submit(episodes);
    await untilEnded(state, id, timeoutMs);
    const seconds = (performance.now() - startedAt) / 1000;
    return {
      seconds,
      submitSeconds,
      serviceCpuSeconds: cpuSecondsOf(services()) - before.services,
      serverCpuSeconds: cpuSecondsOf(servers()) - before.servers,
      memory: memory(),
    };
  };
  const owned = started.move();
  const serverCpuSeconds = (): number => cpuSecondsOf(servers());
  return {
    stack,
    bus,
    state,
    measure,
    begin,
    serverCpuSeconds,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function memoryOf(pid: number): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kib) / 1024;
}
