import type { Bus } from "@microremed/bus";
import type { Solver } from "@microremed/catalogue";
import type { ClusterEntry, ExperimentRequest, RangeKind, RequestIssue } from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import type { TaskRules } from "@microremed/episode";
import type { Plan } from "@microremed/planner";
import type { State } from "@microremed/state";
import type { ClusterWatch } from "./cluster-watch.types.ts";
import type { ModelWatch } from "./model-watch.ts";
import type { ObservedStep } from "./observe/observed-step.ts";
import type { ServiceOf } from "./queue-watch.ts";

/** What requests are checked against and planned from. */
export interface Catalog {
  readonly environments: readonly string[];
  readonly methods: readonly string[];
  readonly failures: readonly string[];
  /** Whether a plan can be named so: by a suite of faults or a failure. */
  isPlan(name: string): boolean;
  /** Suites of problems. */
  readonly suites: readonly string[];
  /** All that a plan can be named by; takes the time to read every suite. */
  plans(): readonly string[];
  readonly clusters: readonly string[];
  readonly policies: readonly string[];
  /** Throws a terminal error that says why the request cannot be planned. */
  plan(request: ExperimentRequest): Plan;
  /** What is asked in the request's episodes. Throws as `plan` does. */
  tasksIn(request: ExperimentRequest): readonly string[];
  /** Why the request cannot ask for the published rules' verdict; undefined: it can, or does not. */
  withoutPublishedRule(request: ExperimentRequest): string | undefined;
  /** What is wrong with the parameters that the request sets: empty when nothing is. */
  parameterIssues(request: ExperimentRequest): readonly RequestIssue[];
  /** The namespace of an environment's arenas when a request names none. */
  namespaceOf(environment: string): string;
  readonly tasks: readonly string[];
  /** Throws a terminal error that lists the tasks when there is none of that name. */
  task(name: string): TaskRules;
  /** Whether a method can do a task. */
  does(method: string, task: string): boolean;
  /** What decides in a method's turns. */
  solver(method: string): Solver;
  /** Names of the tools that a method offers. */
  tools(method: string): readonly string[];
  /** Attempts that a method gets of the requested ones. */
  maxAttempts(method: string, requested: number): number;
}

export interface SchedulerDeps {
  readonly bus: Bus;
  readonly state: State;
  readonly log: Logger;
  readonly catalog: Catalog;
  /** What the range is, for the record of every experiment. Default: processes. */
  readonly range?: RangeKind;
  /** The clusters at this moment. */
  readonly clusters: () => readonly Pick<ClusterEntry, "name" | "arenas" | "drain">[];
  /** Wall clock, ms: the same for every scheduler, whatever its machine's clock says. */
  readonly now: () => number;
  /** What is held against whole clusters; given every result before its transition is stored. */
  readonly clusterWatch: Pick<ClusterWatch, "note">;
  /** What is held against models' providers; given every event that an episode takes. */
  readonly modelWatch: ModelWatch;
  /** Whether a service takes what waits for this subject. */
  readonly serviceOf: ServiceOf;
  /** Is given every transition once it is stored. */
  readonly onStep: (step: ObservedStep) => void;
  /** There is something in the outbox. */
  readonly relaySoon: () => void;
  /** An arena is free, or an episode waits. */
  readonly dispatchSoon: () => void;
}
