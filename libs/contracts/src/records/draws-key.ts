import type { ExperimentRecord } from "./experiment.ts";

/**
 * The key by which the code of an experiment's agents draws random numbers: as its request says, else the experiment's own; of one of
 * before, its id. A request that names it draws the same.
 */
export function drawsKeyOf({
  id,
  request,
  drawsKey,
}: Pick<ExperimentRecord, "id" | "request" | "drawsKey">): string {
  return request.agentSeed ?? drawsKey ?? id;
}
