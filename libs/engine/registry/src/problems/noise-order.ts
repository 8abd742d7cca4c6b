import type { ProblemNoise } from "@microremed/catalogue";
import type { Rng } from "@microremed/core";
import { instant, type Times } from "./noise-times.ts";

/** A fault of an incident as times regard it. */
export interface TimedFault {
  /** Whether a change log shows it. */
  readonly isShown: boolean;
  /** Whether a noise on a workload has to come before the incident: it could end the fault. */
  readonly isFirst: (workload: string) => boolean;
}

/** A problem's noises, and when it is asked for after the last fault, s. */
export interface Order {
  readonly askedAfter: number;
  readonly noises: readonly ProblemNoise[];
}

/**
 * Times of noises and of the question with which no noise comes after an incident that it could end, and no time says where the incident is. If the latest
 * such noise is drawn after the incident, the two change places, so that all times of changes stay as they were drawn. An incident
 * that no change log shows comes later than that noise instead. Only where the question would come too soon by that are noises earlier.
 */
export function inOrder(
  { askedAfter, span, soonest, latest }: Times,
  faults: readonly TimedFault[],
  noises: readonly ProblemNoise[],
  rng: Rng,
): Order {
  const within = (from: number, to: number): number => from + rng.int(Math.max(0, to - from) + 1);
  const ages = noises.map(({ ago }) => ago + askedAfter + span);
  let incident = askedAfter + span;
  const lateFor = ({ isFirst }: TimedFault): number[] =>
    [...noises.keys()].filter((i) => isFirst(noises[i]?.target ?? "") && (ages[i] ?? 0) < incident);
  for (const fault of faults) {
    const [last] = lateFor(fault).toSorted((a, b) => (ages[a] ?? 0) - (ages[b] ?? 0));
    if (last === undefined) continue;
    const age = ages[last] ?? 0;
    const next = fault.isShown ? age : within(soonest + span, age - instant);
    if (next < soonest + span || next > age) continue;
    if (fault.isShown) ages[last] = incident;
    incident = next;
  }
  for (const fault of faults) for (const i of lateFor(fault)) ages[i] = within(incident, latest);
  return {
    askedAfter: incident - span,
    noises: noises.map((one, i) => ({ ...one, ago: (ages[i] ?? 0) - incident })),
  };
}
