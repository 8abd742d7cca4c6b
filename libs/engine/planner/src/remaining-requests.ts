import type { ExperimentRequest, ExperimentRequestInput } from "@microremed/contracts";

/** Episodes that one request can ask for by number. */
const mostNumbers = 50_000;

/** A request for some of the episodes of another one. */
export interface RemainingRequest {
  readonly request: ExperimentRequestInput;
  /** Their numbers in the whole experiment, in the order of the part's own. */
  readonly numbers: readonly number[];
}

/**
 * Requests for the episodes of an experiment that have no result, one for each model, so that a slow model delays no other. Code
 * of agents draws the numbers that it would have drawn in the whole, by its `drawsKey`.
 */
export function remainingRequests(
  request: ExperimentRequest,
  drawsKey: string,
  missing: readonly number[],
): RemainingRequest[] {
  const { id: _, failures, ...given } = request;
  // What requests of before had by default.
  const rest = { ...given, failures: failures === "easy" ? "easy@1" : failures };
  const models = request.model;
  return models.flatMap((model, at) => {
    // The plan of one model has every n-th episode, n being the number of models, of the plan of all.
    const own = missing.filter((number) => number % models.length === at);
    return chunksOf(own).map((numbers) => ({
      numbers,
      request: {
        ...rest,
        agentSeed: drawsKey,
        model: [model],
        episodes: numbers.map((number) => (number - at) / models.length),
      },
    }));
  });
}

function chunksOf(numbers: readonly number[]): (readonly number[])[] {
  const count = Math.ceil(numbers.length / mostNumbers);
  return Array.from({ length: count }, (_, i) => numbers.slice(i * mostNumbers, (i + 1) * mostNumbers));
}
