import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Bus } from "@microremed/bus";
import { connectNatsBus } from "@microremed/bus/nats";
import type { ExperimentRequestInput } from "@microremed/contracts";
import { type Logger, terminal } from "@microremed/core";
import { type Stack, startStack, type Variables } from "@microremed/stack";
import type { State } from "@microremed/state";
import { connectRedisState } from "@microremed/state/redis";
import {
  type AttackOptions,
  attackAtRandom,
  type Damage,
  type Disks,
  noDamage,
  type Targets,
} from "./attacks.ts";
import { readLedger, repeatedWork, wrongEffects } from "./ledger.ts";
import { leftInState, leftOnClusters, orphanedRuns } from "./leftovers.ts";
import { createLinks, type Links } from "./links.ts";
import { outcomeLines, untilFinished, wrongEvents } from "./outcomes.ts";
import { mountSmallDisk } from "./small-disk.ts";
import { startStubStack } from "./stub-stack.ts";

/** How large the test is, and what is attacked. */
export interface DisruptionOptions extends Omit<AttackOptions, "log"> {
  /** `stub`: the real bus, state and schedulers with stages that only write a ledger. `real`: all services. */
  readonly stages: "stub" | "real";
  /** Episodes of each experiment. */
  readonly episodes: number;
  /** Experiments at once, each run undisturbed before. */
  readonly experiments: readonly Omit<ExperimentRequestInput, "environment" | "id" | "failures">[];
  readonly clusters: number;
  /** Processes of each service. */
  readonly replicas: number;
  /** Rounds go on until so many services were killed or paused, and each server crashed so often. */
  readonly atLeast: { readonly attacks: number; readonly crashes: number };
  /** The services' wall clocks are wrong and jump. */
  readonly clockJumps: boolean;
  readonly timeoutMs: number;
  readonly log: Logger;
}

/** What the attacks did and what they broke. */
export interface DisruptionReport {
  /** Under attack, over all rounds. */
  readonly episodes: number;
  /** Of one round. */
  readonly seconds: { readonly undisturbed: number; readonly disturbed: number };
  readonly damage: Damage;
  /** Kinds of attacks that were left out, and why. */
  readonly skipped: readonly string[];
  /** Commands whose work was begun again because its worker was lost. */
  readonly repeated: number;
  /** Everything that went wrong; empty: the machinery stood. */
  readonly wrong: readonly string[];
}

const environment = "simple-micro";
const readWithinMs = 60_000;
/** Until an embedded cluster that died is replaced. */
const replacedWithinMs = 120_000;
const jumpingClock = new URL("./jumping-clock.ts", import.meta.url).href;

/** Runs the experiments once undisturbed and again under attack, and says what differs and what is left. */
export async function runDisruption(options: DisruptionOptions): Promise<DisruptionReport> {
  const dir = await mkdtemp(join(tmpdir(), "microremed-disruption-"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  const ledger = join(dir, "effects.ndjson");
  const disks = await mountDisks(options, join(dir, "stack"), cleanup);
  const links = cleanup.use(createLinks(join(dir, "links")));
  const stack = cleanup.use(await start(options, dir, ledger, links));
  const state = cleanup.use(await connectRedisState({ url: stack.redisUrl, log: options.log }));
  const bus = cleanup.use(await connect(stack, options.log));
  const isReal = options.stages === "real";

  const calm = await runAll({ bus, state, options, name: "calm" });
  const before = isReal ? await leftOnClusters(stack.clustersFile) : [];
  const damage = noDamage();
  const targets = { stack, links: links.all, disks: typeof disks === "object" ? disks : undefined };
  const rough = await underAttack(targets, options, damage, async () => {
    const rounds: Round[] = [];
    do {
      rounds.push(await runAll({ bus, state, options, name: `rough-${rounds.length + 1}` }));
    } while (!isEnough(damage, options));
    return rounds;
  });
  const effects = await readLedger(ledger);
  const wrong = [
    // Two runs in which nothing works agree, too.
    ...calm.outcomes.filter((line) => line.includes("harness-error")).map((line) => `undisturbed: ${line}`),
    ...rough.flatMap(({ outcomes }) => differences(calm.outcomes, outcomes)),
    ...(await Promise.all([calm, ...rough].map((round) => wrongEnds(bus, round)))).flat(),
    ...wrongEffects(effects),
    ...(await leftInState(state)),
    ...(isReal ? await leftBehind(stack, options, before) : []),
    ...(await deadLetters(bus)),
  ];
  await cleanup.disposeAsync();
  return {
    episodes: rough.reduce((sum, { outcomes }) => sum + outcomes.length, 0),
    seconds: {
      undisturbed: calm.seconds,
      disturbed: rough.reduce((sum, { seconds }) => sum + seconds, 0) / rough.length,
    },
    damage,
    skipped: typeof disks === "string" ? [`disks that are full or take no writes: ${disks}`] : [],
    repeated: repeatedWork(effects),
    wrong: [...wrong, ...(await orphanedRuns())],
  };
}

/** A disk for the streams of NATS, in one for all else. Undefined: not wanted. A string: why there are none. */
async function mountDisks(
  { shares }: DisruptionOptions,
  dir: string,
  cleanup: AsyncDisposableStack,
): Promise<Disks | string | undefined> {
  if (shares.disk === 0) return undefined;
  const rest = await mountSmallDisk(dir, `${dir}.img`);
  if (typeof rest === "string") return rest;
  cleanup.use(rest);
  const store = await mountSmallDisk(join(dir, "nats", "jetstream"), `${dir}.store.img`);
  if (typeof store === "string") return store;
  return { rest, store: cleanup.use(store) };
}

function start(options: DisruptionOptions, dir: string, ledger: string, links: Links): Promise<Stack> {
  const { clusters: count, replicas: n, seed, clockJumps, log } = options;
  const wrong = { NODE_OPTIONS: `--import=${jumpingClock}`, CLOCK_SEED: String(seed) };
  const variables = async (name: string, given: Variables): Promise<Variables> => ({
    ...(await links.through(name, given)),
    ...(clockJumps && wrong),
  });
  if (options.stages === "stub") {
    return startStubStack({ dir, ledger, clusters: count, schedulers: n, stages: 2 * n, variables, log });
  }
  return startStack({
    dir: join(dir, "stack"),
    clusters: { environments: [environment], count, timeScale: 200, seed },
    replicas: { scheduler: n, injector: n, executor: n, verifier: n, remediator: n },
    variables,
    log,
  });
}

function connect(stack: Stack, log: Logger): Promise<Bus> {
  const { natsUrl, natsUser, natsPassword } = stack;
  return connectNatsBus({
    servers: natsUrl,
    user: natsUser,
    password: natsPassword,
    name: "disruption",
    log,
  });
}

interface Round {
  readonly outcomes: readonly string[];
  /** Ids of the experiments, with how many episodes each had. */
  readonly experiments: readonly { readonly id: string; readonly episodes: number }[];
  readonly seconds: number;
}

interface RoundOptions {
  readonly bus: Bus;
  readonly state: State;
  readonly options: DisruptionOptions;
  readonly name: string;
}

async function runAll({ bus, state, options, name }: RoundOptions): Promise<Round> {
  const startedAt = performance.now();
  const ends = options.experiments.map(async (experiment, i) => {
    const id = `${name}-${i + 1}`;
    const failures = { random: options.episodes };
    const reply = await submitPersistently(bus, { ...experiment, environment, id, failures });
    if (reply.status === "rejected") throw terminal("invalid-request", JSON.stringify(reply.issues));
    const episodes = await untilFinished(state, id, options.timeoutMs);
    return {
      lines: outcomeLines(episodes).map((line) => `${i + 1}: ${line}`),
      id,
      episodes: episodes.length,
    };
  });
  const all = await Promise.all(ends);
  return {
    outcomes: all.flatMap(({ lines }) => lines),
    experiments: all,
    seconds: (performance.now() - startedAt) / 1000,
  };
}

/** An answer may get lost with the scheduler or the server; submitting an id again is harmless. */
async function submitPersistently(bus: Bus, request: ExperimentRequestInput) {
  for (let tries = 1; ; tries++) {
    try {
      return await bus.submit(request, { timeoutMs: 5_000 });
    } catch (error) {
      if (tries >= 20) throw error;
      await delay(1_000);
    }
  }
}

async function underAttack<T>(
  targets: Targets,
  options: DisruptionOptions,
  damage: Damage,
  run: () => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const attack = attackAtRandom(targets, options, damage, stop.signal);
  try {
    return await run();
  } finally {
    stop.abort();
    await attack;
  }
}

function isEnough(
  { killed, paused, natsCrashes, redisCrashes }: Damage,
  { atLeast }: DisruptionOptions,
): boolean {
  return killed + paused >= atLeast.attacks && Math.min(natsCrashes, redisCrashes) >= atLeast.crashes;
}

/** Asked when the attacks are over: it is the log that counts, not who can read it meanwhile. */
async function wrongEnds(bus: Bus, { experiments }: Round): Promise<string[]> {
  const found = experiments.map(({ id, episodes }) =>
    wrongEvents(bus, id, episodes, AbortSignal.timeout(readWithinMs)),
  );
  return (await Promise.all(found)).flat();
}

function differences(expected: readonly string[], found: readonly string[]): string[] {
  const left = new Set(found);
  const wanted = new Set(expected);
  return [
    ...expected.filter((line) => !left.has(line)).map((line) => `missing: ${line}`),
    ...found.filter((line) => !wanted.has(line)).map((line) => `instead: ${line}`),
  ];
}

/** What is on the clusters that was not there before. A cluster that has replaced another has fewer namespaces. */
async function leftBehind(
  stack: Stack,
  { clusters }: DisruptionOptions,
  before: readonly string[],
): Promise<string[]> {
  const deadline = performance.now() + replacedWithinMs;
  while (stack.clusterPids.size < clusters && performance.now() < deadline) await delay(250);
  const running = stack.clusterPids.size;
  const missing = running < clusters ? [`${running} of ${clusters} embedded clusters run`] : [];
  const known = new Set(before);
  const found = await leftOnClusters(stack.clustersFile);
  return [...missing, ...found.filter((line) => !known.has(line)).map((line) => `left: ${line}`)];
}

async function deadLetters(bus: Bus): Promise<string[]> {
  const found: string[] = [];
  for await (const { subject, reason } of bus.deadLetters.list())
    found.push(`dead letter of ${subject}: ${reason}`);
  return found;
}
