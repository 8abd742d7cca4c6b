import type { Bus } from "@microremed/bus";
import {
  type CommandOf,
  commandStream,
  type Stage,
  type StageBody,
  serviceOfStage,
  stages,
  subjects,
} from "@microremed/contracts";
import type { State } from "@microremed/state";
import type { z } from "zod";
import { type StageCommand, type StageContext, stageHandler } from "./stage-handler.ts";

/** Does a stage's work. May be called again for the same command when it died before its result was stored. */
export type RunStage<S extends Stage> = (
  command: CommandOf<S>,
  context: StageContext,
) => Promise<StageBody<S>>;

export interface ServedBy {
  readonly bus: Bus;
  readonly state: State;
  /** Clusters or models (as the stage's commands are spread) whose commands this process takes; `["*"]`: all. */
  readonly shards: readonly string[];
  /** Commands worked on at once by this process. */
  readonly concurrency: number;
  /** Commands of one shard worked on at once by all replicas. Default: as many as come. */
  readonly maxInFlight?: number | undefined;
}

/** The stage to serve, the function that does it, and for which shards. */
export interface ServeStageOptions<S extends Stage> extends ServedBy {
  readonly stage: S;
  readonly run: RunStage<S>;
  /** See `StageHandlerOptions`. */
  readonly besideFailure?: (command: CommandOf<S>) => Promise<object>;
}

/** A running consumer of a stage's commands. Disposing it finishes what is in flight. */
export interface ServedStage extends AsyncDisposable {
  /** From now on takes the commands of these shards. What is in flight of others is finished. */
  follow(shards: readonly string[]): Promise<void>;
}

/** Consumes the commands of a stage; see `stageHandler` for what becomes of each. */
export async function serveStage<S extends Stage>(options: ServeStageOptions<S>): Promise<ServedStage> {
  const { stage, bus, state, shards, concurrency, maxInFlight } = options;
  const subjectsOf = (names: readonly string[]): string[] =>
    names.map((shard) => (shard === "*" ? subjects.commandOfAll(stage) : subjects.command(stage, shard)));
  // What every command carries is all that the handler itself needs of it.
  const schema: z.ZodType<StageCommand> = stages[stage].command;
  const run = options.run as (command: StageCommand, context: StageContext) => Promise<StageBody<S>>;
  const besideFailure = options.besideFailure as ((command: StageCommand) => Promise<object>) | undefined;
  const consumption = await bus.consume(
    {
      stream: commandStream(stage).name,
      durable: serviceOfStage[stage],
      subjects: subjectsOf(shards),
      schema,
      concurrency,
      ...(maxInFlight !== undefined && { maxInFlight }),
    },
    stageHandler({ stage, bus, state, run, besideFailure }),
  );
  return {
    follow: (names) => consumption.follow(subjectsOf(names)),
    [Symbol.asyncDispose]: () => consumption[Symbol.asyncDispose](),
  };
}
