import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import type { Bus } from "@microremed/bus";
import { connectNatsBus } from "@microremed/bus/nats";
import { silentLogger as log } from "@microremed/core";
import { startNatsServer, startRedisServer } from "@microremed/servers";
import { Budgets, type SolveCommand, StageResult, subjects } from "../../libs/contracts/src/index.ts";
import type { Benchmark } from "./benchmark.ts";
import { cpuSecondsOf } from "./cpu-seconds.ts";
import { leaseOne } from "./lease-one.ts";
import { ownTurnCpuMs } from "./own-turn.ts";

const answerMs = 500;
const replicaCounts = [1, 8];
/** Turns at once in each replica. */
const concurrency = 4;
/** Rounds of full replicas: first those that warm up, then those that are measured. */
const warmUpRounds = 10;
const rounds = 20;
const main = fileURLToPath(new URL("../../services/remediator/src/main.ts", import.meta.url));

/** Whole turns over NATS and Redis: command, model call, stored conversation, result. */
export const turns: Benchmark = {
  name: "turns",
  description: `turns per second of 1 and 8 remediators whose model answers in ${answerMs} ms`,
  run: async () => {
    const perSecond: number[] = [];
    const cpuMs: number[] = [];
    for (const replicas of replicaCounts) {
      const measured = await measure(replicas);
      perSecond.push(measured.perSecond);
      cpuMs.push(measured.cpuMs);
    }
    const [one = 0, many = 0] = perSecond;
    const arena = { cluster: "bench", slot: 0, namespace: "shop", fence: 1 };
    const ownMs = await ownTurnCpuMs(turn({ experimentId: "bench", arena }, 0));
    return [
      ...replicaCounts.map((count, index) => ({
        what: `${count} replica${count === 1 ? "" : "s"}, ${concurrency} turns at once each`,
        value: perSecond[index] ?? 0,
        unit: "1/s",
      })),
      { what: "8 replicas against 1", value: many / one, unit: "x" },
      ...replicaCounts.map((count, index) => ({
        what: `CPU of a remediator per turn, bus, Redis and HTTP included, ${count} of them`,
        value: cpuMs[index] ?? 0,
        unit: "ms",
      })),
      { what: "its own work of a turn with one probe, CPU", value: ownMs, unit: "ms" },
    ];
  },
};

async function measure(replicas: number): Promise<{ perSecond: number; cpuMs: number }> {
  await using stack = new AsyncDisposableStack();
  const nats = stack.use(await startNatsServer());
  const redis = stack.use(await startRedisServer());
  const bus = stack.use(await connectNatsBus({ servers: nats.url, name: "bench", log }));
  await bus.ensureStreams();
  const command = await leaseOne(redis.url);
  const model = await startModel(stack);
  const env = {
    PATH: process.env["PATH"],
    NATS_URL: nats.url,
    REDIS_URL: redis.url,
    OPENAI_BASE_URL: model,
    OPENAI_API_KEY: "none",
    CONCURRENCY: String(concurrency),
    LOG_LEVEL: "warn",
  };
  const pids = Array.from({ length: replicas }, () => {
    const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "ignore", "inherit"] });
    stack.defer(async () => {
      if (child.exitCode === null && child.kill()) await once(child, "exit");
    });
    return child.pid ?? 0;
  });
  const play = await player(stack, bus, command);
  const inOneRound = replicas * concurrency;
  await play(warmUpRounds * inOneRound);
  const cpuBefore = cpuSecondsOf(pids);
  const startedAt = performance.now();
  const count = rounds * inOneRound;
  await play(count);
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: count / seconds, cpuMs: ((cpuSecondsOf(pids) - cpuBefore) / count) * 1000 };
}

/** Sends so many turns and returns when all have their results. */
async function player(
  stack: AsyncDisposableStack,
  bus: Bus,
  command: Pick<SolveCommand, "experimentId" | "arena">,
): Promise<(count: number) => Promise<void>> {
  let sent = 0;
  let done = 0;
  let wake = (): void => {};
  const failures: unknown[] = [];
  stack.use(
    await bus.consume(
      {
        stream: "RESULTS",
        durable: "bench",
        subjects: [subjects.result("solve")],
        schema: StageResult,
        concurrency: 64,
      },
      async ({ body }) => {
        if (body.status === "failed") failures.push(body.error);
        done++;
        wake();
      },
    ),
  );
  return async (count) => {
    const until = done + count;
    await Promise.all(
      Array.from({ length: count }, () =>
        bus.publish(subjects.command("solve", "slow"), turn(command, sent++)),
      ),
    );
    while (done < until) await new Promise<void>((resolve) => (wake = resolve));
    if (failures.length > 0) throw new Error(`turns failed: ${JSON.stringify(failures[0])}`);
  };
}

function turn(
  { experimentId, arena }: Pick<SolveCommand, "experimentId" | "arena">,
  number: number,
): SolveCommand {
  return {
    experimentId,
    episodeId: `${experimentId}.${String(number).padStart(4, "0")}`,
    trial: 1,
    attempt: 1,
    arena,
    environment: "shop",
    failure: "cpu-stress",
    target: "cart",
    method: "SoloGen",
    model: "slow",
    maxAttempts: 1,
    maxProbes: 0,
    probeSeconds: 5,
    modelSeconds: 60,
    budgets: Budgets.parse({}),
    playbook: null,
    seed: "1",
    feedback: null,
  };
}

/** Answers every chat completion with a playbook, half a second later. */
async function startModel(stack: AsyncDisposableStack): Promise<string> {
  const call = {
    name: "print_playbook",
    arguments: JSON.stringify({ playbook: "- hosts: all\n  tasks: []\n" }),
  };
  const message = {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "a", type: "function", function: call }],
  };
  const body = JSON.stringify({
    choices: [{ index: 0, message, finish_reason: "tool_calls" }],
    usage: { prompt_tokens: 100, completion_tokens: 20 },
  });
  const server = createServer((request, response) => {
    request.resume();
    setTimeout(() => response.writeHead(200, { "content-type": "application/json" }).end(body), answerMs);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
