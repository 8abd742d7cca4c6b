import type { Environment } from "@microremed/catalogue";
import type { Rng } from "@microremed/core";

/** A course of the load: the share of the rate that comes and goes, and how long that takes, s. */
export interface Course {
  readonly amplitude: number;
  readonly periodSeconds: number;
  readonly peakAtSeconds: number;
}

/** A gentle wave of some minutes, of the seed's own height and length. */
export function drawCourse(rng: Rng): Course {
  const periodSeconds = 300 + rng.int(901);
  return { amplitude: (10 + rng.int(21)) / 100, periodSeconds, peakAtSeconds: rng.int(periodSeconds) };
}

/** The environment whose users come and go so. */
export function withCourse(environment: Environment, diurnal: Course): Environment {
  return { ...environment, load: { ...environment.load, diurnal } };
}
