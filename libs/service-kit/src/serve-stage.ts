import type { Bus, Consumption } from "@microremed/bus";
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

/** Consumes the commands of a stage; see `stageHandler` for what becomes of each. */
export function serveStage<S extends Stage, C extends StageCommand>(
  options: ServeStageOptions<S, C>,
): Promise<Consumption> {
  const { stage, bus, state, schema, shards, concurrency, maxInFlight, run } = options;
  return bus.consume(
    {
      stream: commandStream(stage).name,
      durable: serviceOfStage[stage],
      subjects: shards.map((shard) =>
        shard === "*" ? subjects.commandOfAll(stage) : subjects.command(stage, shard),
      ),
      schema,
      concurrency,
      ...(maxInFlight !== undefined && { maxInFlight }),
    },
    stageHandler({ stage, bus, state, run }),
  );
}
