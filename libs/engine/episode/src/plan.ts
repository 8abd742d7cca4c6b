import {
  type ErrorInfo,
  type ExperimentRequest,
  environmentOf,
  type Outcome,
  type PlannedEpisode,
} from "@microremed/contracts";

/** What the machine must know of an episode's task. */
export interface TaskRules {
  /** True: an answer is submitted and graded; false: what counts is the system. */
  readonly answered: boolean;
  /** Whether the agent may change the system. */
  readonly mayAct: boolean;
  /** What a passed and a failed grade are called. */
  readonly outcomes: { readonly passed: Outcome; readonly failed: Outcome };
  /** Of a cycle: the tasks that are asked in turn. Of a watch: the one that it asks. */
  readonly parts?: readonly PartRules[];
  /** Its only part is asked at the end of every window; absent: no watch. */
  readonly watch?: true;
  /** Of a part of a cycle or a watch: its task. */
  readonly name?: string;
}

/** The rules of one task of a cycle. */
export type PartRules = Pick<TaskRules, "answered" | "mayAct"> & { readonly name: string };

/** What the machine knows of an episode's experiment. */
export interface EpisodePlan {
  readonly request: ExperimentRequest;
  /** Secret, of the draws of its agents' code. */
  readonly drawsKey: string;
  /** Wall clock, ms. */
  readonly submittedAt: number;
  /** Rounds that the method gets of the requested ones. */
  readonly maxAttempts: number;
  readonly task: TaskRules;
  /**
   * Why the two before are not known: the catalogue at hand lacks the method or the task. The next result ends such an
   * episode as the harness's fault, with its arena restored.
   */
  readonly missing?: ErrorInfo;
}

/**
 * What an arena must hold for an episode, or for all of a request: arenas that do are preferred. Where each problem has an
 * environment of its own, nothing stands before the `@` of the request's.
 */
export function wantsOf(
  request: Pick<EpisodePlan["request"], "environment" | "namespace">,
  planned: Pick<PlannedEpisode, "problem"> = {},
): string {
  return `${environmentOf(planned, request)}@${request.namespace ?? ""}`;
}
