import type { Bus } from "@microremed/bus";
import { commandStream, type Stage, serviceOfStage, subjects } from "@microremed/contracts";
import type { State } from "@microremed/state";
import type { z } from "zod";
import { type StageCommand, type StageHandlerOptions, stageHandler } from "./stage-handler.ts";

export interface ServeStageOptions<S extends Stage, C extends StageCommand>
  extends Pick<StageHandlerOptions<S, C>, "stage" | "run"> {
  readonly bus: Bus;
  readonly state: State;
  readonly schema: z.ZodType<C>;
  /** Clusters (for `remediate`: models) whose commands this process takes; `["*"]`: all. */
  readonly shards: readonly string[];
  /** Commands worked on at once by this process. */
  readonly concurrency: number;
  /** Commands of one shard worked on at once by all replicas. Default: as many as come. */
  readonly maxInFlight?: number | undefined;
}

/** A stage that is served. */
export interface ServedStage extends AsyncDisposable {
  /** From now on takes the commands of these shards. What is in flight of others is finished. */
  follow(shards: readonly string[]): Promise<void>;
}

/** Consumes the commands of a stage; see `stageHandler` for what becomes of each. */
export async function serveStage<S extends Stage, C extends StageCommand>(
  options: ServeStageOptions<S, C>,
): Promise<ServedStage> {
  const { stage, bus, state, schema, shards, concurrency, maxInFlight, run } = options;
  const subjectsOf = (names: readonly string[]): string[] =>
    names.map((shard) => (shard === "*" ? subjects.commandOfAll(stage) : subjects.command(stage, shard)));
  const consumption = await bus.consume(
    {
      stream: commandStream(stage).name,
      durable: serviceOfStage[stage],
      subjects: subjectsOf(shards),
      schema,
      concurrency,
      ...(maxInFlight !== undefined && { maxInFlight }),
    },
    stageHandler({ stage, bus, state, run }),
  );
  return {
    follow: (names) => consumption.follow(subjectsOf(names)),
    [Symbol.asyncDispose]: () => consumption[Symbol.asyncDispose](),
  };
}
