import type { FaultParameters, LoadPattern } from "@microremed/contracts";

/** How often metrics are given, s. */
export type StepSeconds = 1 | 15;

/** What decides every byte of a data set, with the version of the harness. */
export interface Recipe {
  readonly suite: string;
  readonly environments: readonly string[];
  readonly incidents: number;
  /** Further cases, with two or three faults at once. */
  readonly several: number;
  /** Cases in which nothing is wrong. */
  readonly faultFree: number;
  readonly seed: number;
  readonly stepSeconds: StepSeconds;
  /** Mean lengths of the fault-free and of the faulty window, s; multiples of the step. */
  readonly beforeSeconds: number;
  readonly afterSeconds: number;
  /** Whether measurements vary as those of finitely many requests do. */
  readonly noise: "sampling" | "none";
  /** Whether logs and traces are written too. */
  readonly metricsOnly: boolean;
}

/** For what cases are: to train, to choose, to report. */
export const parts = ["train", "validation", "test"] as const;
/** What a case is for. */
export type Part = (typeof parts)[number];

/** Something that can be wrong, where the suite allows it. */
export interface Incident {
  readonly environment: string;
  readonly fault: string;
  readonly target: string;
  readonly parameters?: FaultParameters | undefined;
  /** Load that the system is under, of the suite's problem; absent: the environment's own. */
  readonly workload?: LoadPattern | undefined;
  readonly mechanism: string;
  /** The workload at which the cause is. */
  readonly service: string;
}

/** A fault of a case, and when it is injected: cluster seconds after the first. */
export interface TimedIncident extends Incident {
  readonly at: number;
}

/** One case: an incident with others to take in its place where it has no effect, or a healthy system. */
export interface PlannedCase {
  readonly index: number;
  readonly part: Part;
  readonly environment: string;
  /** The faults that are injected together, in the order in which such choices are tried; empty: nothing is to be wrong. */
  readonly incidents: readonly (readonly TimedIncident[])[];
  /** Load of a healthy system, drawn from those of incidents; with an incident it is that of its first fault. */
  readonly workload?: LoadPattern | undefined;
}
