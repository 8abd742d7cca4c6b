import type { Environment, Noise, ProblemNoise } from "@microremed/catalogue";
import { drawnParameters } from "@microremed/catalogue";
import type { Rng } from "@microremed/core";

/** A noise of a problem, with drawn values. `ago`: s from the first fault to it, less than 0 after that. */
export function noiseOf(
  noise: Noise,
  environment: Environment,
  target: string | undefined,
  ago: number,
  rng: Rng,
): ProblemNoise {
  const parameters = drawnForNoise(
    noise,
    environment,
    target,
    undefined,
    rng.fork(`values of ${noise.name}`),
  );
  return {
    noise: noise.name,
    ...(target !== undefined && { target }),
    ...(parameters && { parameters }),
    ago,
  };
}

/** Of what is beside the system the names are as if it belonged to one of its workloads. */
export function drawnForNoise(
  noise: Pick<Noise, "drawn">,
  environment: Environment,
  target: string | undefined,
  given: ProblemNoise["parameters"],
  rng: Rng,
): ProblemNoise["parameters"] {
  const near = target ?? rng.pick(Object.keys(environment.workloads));
  return drawnParameters(noise, { environment, target: near }, given, rng);
}
