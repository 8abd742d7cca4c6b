import { type Stage, type StageService, type StagesOf, stagesOf } from "@microremed/contracts";
import { type RunStage, type ServedBy, type ServedStage, serveStage } from "./serve-stage.ts";

/** What a service does for each of its stages: the compiler names the one that is missing. */
export type StageHandlers<Service extends StageService> = {
  readonly [S in StagesOf<Service>]: RunStage<S>;
};

/** Consumes the commands of all stages of a service. */
export async function serveStages<Service extends StageService>(
  service: Service,
  handlers: StageHandlers<Service>,
  options: ServedBy,
): Promise<ServedStage> {
  await using starting = new AsyncDisposableStack();
  const served: ServedStage[] = [];
  for (const stage of stagesOf(service)) {
    const run = handlers[stage] as RunStage<Stage>;
    served.push(starting.use(await serveStage<Stage>({ ...options, stage, run })));
  }
  const running = starting.move();
  return {
    follow: async (shards) => {
      await Promise.all(served.map((stage) => stage.follow(shards)));
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
