import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { fileURLToPath } from "node:url";
import type { Bus } from "@microremed/bus";
import { connectNatsBus } from "@microremed/bus/nats";
import { silentLogger as log } from "@microremed/core";
import { startNatsServer, startRedisServer } from "@microremed/servers";
import { newToken, type State } from "@microremed/state";
import { connectRedisState } from "@microremed/state/redis";
import {
  Budgets,
  type EpisodeTurn,
  ProbeRequest,
  type Seat,
  type SessionRecord,
  type SolveCommand,
  subjects,
  type Turns,
  TurnsQuery,
} from "../../libs/contracts/src/index.ts";
import type { Benchmark, Row } from "./benchmark.ts";
import { cpuSecondsOf } from "./cpu-seconds.ts";
import { leaseOne } from "./lease-one.ts";

const gatewayMain = fileURLToPath(new URL("../../services/gateway/src/main.ts", import.meta.url));
const remediatorMain = fileURLToPath(new URL("../../services/remediator/src/main.ts", import.meta.url));
const model = "session/bench@1";
/** Agents at once, and the calls of each: first those that warm up, then those that are measured. */
const agents = 16;
const warmUpCalls = 60;
const callsOfEach = 100;
const callsAlone = 200;
/** Sessions that wait for a problem, and for how long they are watched. */
const waiting = 2_000;
const watchedMs = 20_000;
/** What the tool prints, some kilobytes. */
const output = "pod/cart-0   1/1   Running   0   3m\n".repeat(60);

/** One gateway and one remediator over NATS and Redis; the tool itself answers at once. */
export const gateway: Benchmark = {
  name: "gateway",
  description:
    "what a tool call of an outside agent costs above the tool itself, and what a session that waits costs",
  run: async () => {
    await using range = await startRange();
    const rows = [...(await calls(range)), ...(await held(range))];
    return rows;
  },
};

interface Range extends AsyncDisposable {
  readonly bus: Bus;
  readonly state: State;
  readonly url: string;
  readonly token: string;
  readonly tokenId: string;
  /** Which turns the scheduler knows, by episode. */
  readonly turns: Map<string, EpisodeTurn>;
  readonly pids: { readonly gateway: number; readonly remediator: number };
  readonly command: Pick<SolveCommand, "experimentId" | "arena">;
}

async function startRange(): Promise<Range> {
  await using stack = new AsyncDisposableStack();
  const nats = stack.use(await startNatsServer());
  const redis = stack.use(await startRedisServer());
  const bus = stack.use(await connectNatsBus({ servers: nats.url, name: "bench", log }));
  await bus.ensureStreams();
  const command = await leaseOne(redis.url);
  const state = stack.use(await connectRedisState({ url: redis.url, log }));
  const { id: tokenId, text: token, secretHash } = newToken();
  const limits = {
    requestsPerMinute: 100_000,
    mostSessions: 10_000,
    problemsPerHour: 1_000_000,
    opens: true,
  };
  const holder = { scope: "agent", name: "*", createdAt: 1, expiresAt: null } as const;
  await state.tokens.put({ id: tokenId, secretHash, ...holder, ...limits });
  const turns = new Map<string, EpisodeTurn>();
  stack.use(
    await bus.serve(subjects.turnsQuery, "scheduler", TurnsQuery, async ({ episodeId }): Promise<Turns> => {
      const all = episodeId === undefined ? [] : [turns.get(episodeId)].flatMap((turn) => turn ?? []);
      const experiment = { experiment: "running", silenceSeconds: 3600, episodes: 1, done: 0 } as const;
      return { status: "ok", ...experiment, turns: all };
    }),
  );
  stack.use(
    await bus.serve(subjects.probe(command.arena.cluster), "executor", ProbeRequest, async () => ({
      status: "ok",
      exitCode: 0,
      output,
      clusterMs: 1,
    })),
  );
  const env = {
    PATH: process.env["PATH"],
    NATS_URL: nats.url,
    REDIS_URL: redis.url,
    LOG_LEVEL: "info",
    GATEWAY_PORT: "0",
    GATEWAY_CONNECTIONS: "40000",
    GATEWAY_REQUESTS: "10000",
    OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
    OPENAI_API_KEY: "none",
  };
  const start = (main: string) => {
    const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "inherit"] });
    stack.defer(async () => {
      if (child.exitCode === null && child.kill()) await once(child, "exit");
    });
    return child;
  };
  const remediator = start(remediatorMain);
  remediator.stdout.resume();
  const gatewayProcess = start(gatewayMain);
  const url = await new Promise<string>((resolve) => {
    gatewayProcess.stdout.on("data", (chunk) => {
      const found = /"url":"(http:[^"]+)"/.exec(String(chunk));
      if (found?.[1]) resolve(found[1]);
    });
  });
  const owned = stack.move();
  return {
    ...{ bus, state, url, token, tokenId, turns, command },
    pids: { gateway: gatewayProcess.pid ?? 0, remediator: remediator.pid ?? 0 },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Opens a session whose worker has an episode, as if the scheduler had begun its turn. */
async function seat({ state, bus, turns, tokenId, command }: Range, number: number): Promise<string> {
  const episodeId = `${command.experimentId}.${String(number).padStart(4, "0")}`;
  const session = aSession(tokenId, number, command.experimentId);
  const problem = `p${String(number).padStart(12, "0")}`;
  const turn = { trial: 1, attempt: 1 };
  const taken: Seat = { problem, worker: "main", episodeId, turn };
  await state.sessions.open(session, 100_000);
  await state.sessions.take(session, taken);
  turns.set(episodeId, {
    ...{ episodeId, state: "solving", ...turn },
    ...{ turnEnded: false, isOver: false, outcome: null },
  });
  await bus.publish(subjects.command("solve", "session"), solveCommand(command, episodeId));
  return `/v1/sessions/${session.id}/problems/${problem}/calls`;
}

const aSession = (tokenId: string, number: number, experimentId: string): SessionRecord => ({
  ...{ id: `s${String(number).padStart(20, "0")}`, tokenId, experimentId, agent: "bench@1", model },
  ...{ owned: false, silenceSeconds: 3600, problemsPerHour: 1, openedAt: 1 },
});

function solveCommand(
  { experimentId, arena }: Pick<SolveCommand, "experimentId" | "arena">,
  episodeId: string,
): SolveCommand {
  return {
    ...{ experimentId, episodeId, trial: 1, attempt: 1, arena, environment: "simple-micro" },
    ...{ failure: "cpu-stress", target: "hello-service", method: "Session", model, maxAttempts: 1 },
    ...{ maxProbes: 1_000, probeSeconds: 5, modelSeconds: 3600, playbook: null, seed: "1", feedback: null },
    budgets: Budgets.parse({ probeRounds: 10_000, toolCalls: 10_000 }),
  };
}

/** Calls of a tool over HTTP: one agent alone, then many at once. */
async function calls(range: Range): Promise<Row[]> {
  const paths: string[] = [];
  for (let number = 0; number < agents; number++) paths.push(await seat(range, number));
  const post = poster(range);
  const play = async (path: string, from: number, count: number): Promise<void> => {
    for (let call = from; call < from + count; call++) {
      const body = { id: `c${call}`, tool: "get_events", arguments: {} };
      const reply = JSON.parse(await post(path, body)) as { status?: string; text?: string };
      if (reply.status !== "answered" || !reply.text?.includes("cart-0"))
        throw new Error(`a call was not answered: ${JSON.stringify(reply).slice(0, 500)}`);
    }
  };
  await Promise.all(paths.map((path) => play(path, 0, warmUpCalls)));
  const alone = await seat(range, agents);
  const aloneFrom = performance.now();
  await play(alone, 0, callsAlone);
  const aloneMs = (performance.now() - aloneFrom) / callsAlone;
  const { gateway: gatewayPid, remediator } = range.pids;
  const before = { gateway: cpuSecondsOf([gatewayPid]), remediator: cpuSecondsOf([remediator]) };
  const startedAt = performance.now();
  await Promise.all(paths.map((path) => play(path, warmUpCalls, callsOfEach)));
  const count = agents * callsOfEach;
  const seconds = (performance.now() - startedAt) / 1000;
  const gatewayMs = ((cpuSecondsOf([gatewayPid]) - before.gateway) / count) * 1000;
  const remediatorMs = ((cpuSecondsOf([remediator]) - before.remediator) / count) * 1000;
  return [
    { what: "a call, one after the other, wall clock", value: aloneMs, unit: "ms" },
    { what: `calls of ${agents} agents at once`, value: count / seconds, unit: "1/s" },
    { what: "CPU of the gateway per call", value: gatewayMs, unit: "ms" },
    { what: "CPU of the remediator per call", value: remediatorMs, unit: "ms" },
    { what: "CPU per call above the tool itself", value: gatewayMs + remediatorMs, unit: "ms" },
  ];
}

/** Sessions that wait for a problem, each with a request that is open. */
async function held(range: Range): Promise<Row[]> {
  const { state, tokenId, command } = range;
  const { gateway: pid } = range.pids;
  const memoryBefore = memoryOf(pid);
  const ids = Array.from({ length: waiting }, (_, i) => aSession(tokenId, 1_000 + i, command.experimentId));
  for (const session of ids) await state.sessions.open(session, 100_000);
  const post = poster(range);
  const replies = ids.map(({ id }) => post(`/v1/sessions/${id}/next`, { waitSeconds: 100 }));
  const ended: string[] = [];
  for (const reply of replies)
    void reply.then(
      (text) => ended.push(text),
      () => undefined,
    );
  await new Promise((resolve) => setTimeout(resolve, watchedMs));
  const before = cpuSecondsOf([pid]);
  await new Promise((resolve) => setTimeout(resolve, watchedMs));
  const cpu = (cpuSecondsOf([pid]) - before) / (watchedMs / 1000);
  const memory = (memoryOf(pid) - memoryBefore) / waiting;
  if (ended.length > 0) throw new Error(`${ended.length} did not wait: ${ended[0]?.slice(0, 500)}`);
  return [
    { what: `CPU of the gateway while ${waiting} sessions wait for a problem`, value: cpu * 100, unit: "%" },
    { what: "memory of the gateway for each of them", value: memory * 1024, unit: "KiB" },
    { what: "sessions that one gateway could hold so, by its CPU", value: waiting / cpu, unit: "" },
  ];
}

/** Sends JSON over connections that stay open. */
function poster({ url, token }: Pick<Range, "url" | "token">) {
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return (path: string, body: object): Promise<string> =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(`${url}${path}`, { method: "POST", agent, headers }, (reply) => {
        let text = "";
        reply.setEncoding("utf8");
        reply.on("data", (chunk: string) => {
          text += chunk;
        });
        reply.on("end", () => resolve(text));
      });
      sent.on("error", reject);
      sent.end(JSON.stringify(body));
    });
}

/** Resident, MiB. */
function memoryOf(pid: number): number {
  const [, kib = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) / 1024;
}
