import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bus } from "@microremed/bus";
import { connectNatsBus } from "@microremed/bus/nats";
import {
  type EpisodeRecord,
  ExperimentPage,
  type RangeEvent,
  type Stage,
  stageNames,
  subjects,
} from "@microremed/contracts";
import { silentLogger } from "@microremed/core";
import { bodies } from "@microremed/episode/testing";
import { startNatsServer, startRedisServer } from "@microremed/servers";
import { type StageCommand, serveStage } from "@microremed/service-kit";
import type { State } from "@microremed/state";
import { connectRedisState } from "@microremed/state/redis";
import { startScheduler } from "../service.ts";
import { aCatalog } from "./catalog.ts";

export type Answer = (stage: Stage, command: StageCommand) => unknown;

/** Every stage goes well at the first attempt. */
export const allGoesWell: Answer = (stage) => Object.values(bodies[stage])[0];

/** Real servers, schedulers on connections of their own, and stage services that answer at once. */
export interface Range extends AsyncDisposable {
  readonly natsUrl: string;
  readonly redisUrl: string;
  readonly bus: Bus;
  readonly state: State;
  /** Every command that a stage service was given, `<episode>/<trial>/<attempt>/<stage>`. */
  readonly commands: string[];
  addScheduler(): Promise<void>;
  /** Ends a stage's service, or starts it again. */
  stop(stage: Stage): Promise<void>;
  start(stage: Stage): Promise<void>;
  /** The schedulers' clocks go forward by so much. */
  skip(ms: number): void;
  /** Kills the server without warning; it comes back at the same address with its files. */
  crash(server: "nats" | "redis"): Promise<void>;
  /** The events of an experiment up to its end. */
  untilFinished(experimentId: string): Promise<RangeEvent[]>;
  episodes(experimentId: string): Promise<EpisodeRecord[]>;
}

const clusters = [
  { name: "c1", arenas: 3 },
  { name: "c2", arenas: 3 },
];

export interface RangeOptions {
  /** Messages that NATS confirms and never delivers, by subject and id. */
  readonly loses?: (subject: string, msgId: string) => boolean;
}

export async function startRange(
  answer: Answer = allGoesWell,
  { loses = () => false }: RangeOptions = {},
): Promise<Range> {
  const stack = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), "microremed-range-"));
  stack.defer(() => rm(dir, { recursive: true, force: true }));
  let nats = await startNatsServer({ dir: join(dir, "nats") });
  let redis = await startRedisServer({ dir: join(dir, "redis") });
  stack.defer(() => redis[Symbol.asyncDispose]());
  stack.defer(() => nats[Symbol.asyncDispose]());
  let ahead = 0;
  const lossy = (bus: Bus): Bus => ({
    ...bus,
    get connected() {
      return bus.connected;
    },
    publish: async (subject, body, options) => {
      if (!loses(subject, options?.msgId ?? "")) await bus.publish(subject, body, options);
    },
  });
  const connect = async (name: string) => ({
    bus: lossy(stack.use(await connectNatsBus({ servers: nats.url, name, log: silentLogger }))),
    state: stack.use(await connectRedisState({ url: redis.url, log: silentLogger })),
  });
  const { bus, state } = await connect("stages");
  await bus.ensureStreams();
  const commands: string[] = [];
  const services = new Map<Stage, AsyncDisposable>();
  const start = async (stage: Stage): Promise<void> => {
    const run = async (command: StageCommand): Promise<never> => {
      commands.push(`${command.episodeId}/${command.trial}/${command.attempt}/${stage}`);
      return (await answer(stage, command)) as never;
    };
    const options = { stage, bus, state, shards: ["*"], concurrency: 8, run };
    services.set(stage, await serveStage(options));
  };
  const stop = async (stage: Stage): Promise<void> => {
    await services.get(stage)?.[Symbol.asyncDispose]();
    services.delete(stage);
  };
  for (const stage of stageNames) await start(stage);
  stack.defer(async () => {
    await Promise.all(stageNames.map(stop));
  });
  return {
    natsUrl: nats.url,
    redisUrl: redis.url,
    bus,
    state,
    commands,
    addScheduler: async () => {
      const own = await connect("scheduler");
      const scheduler = await startScheduler({
        ...own,
        log: silentLogger,
        catalog: aCatalog,
        clusters: () => clusters,
        now: () => own.state.now() + ahead,
        onStep: () => {},
        concurrency: 16,
      });
      stack.use(scheduler);
    },
    stop,
    start,
    skip: (ms) => {
      ahead += ms;
    },
    crash: async (server) => {
      const { pid, port, dir: kept } = server === "nats" ? nats : redis;
      process.kill(pid, "SIGKILL");
      if (server === "nats") nats = await startNatsServer({ dir: kept, port });
      else redis = await startRedisServer({ dir: kept, port });
    },
    untilFinished: async (experimentId) => {
      const events: RangeEvent[] = [];
      const stop = new AbortController();
      for await (const event of bus.readEvents(experimentId, { signal: stop.signal })) {
        events.push(event);
        if (event.type === "experiment-finished") stop.abort();
      }
      return events;
    },
    episodes: async (experimentId) => {
      const page = await bus.request(
        subjects.experimentQuery,
        { experimentId, limit: 100 },
        { schema: ExperimentPage, timeoutMs: 5000 },
      );
      return page.status === "ok" ? page.episodes : [];
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
