import type { Concealment, EpisodeRecord } from "@microremed/contracts";
import type { EpisodePlan } from "./plan.ts";

/**
 * Whether an episode's agent may find what causes its fault. Of a task in which nothing may be changed the cause is the
 * answer, or a part of it: there, and in a whole cycle, it is concealed whatever the request or the problem says.
 */
export function concealmentOf(
  { problem }: Pick<EpisodeRecord, "problem">,
  { request, task }: Pick<EpisodePlan, "request" | "task">,
): Concealment {
  return task.mayAct && task.parts === undefined ? (problem?.concealment ?? request.concealment) : "neutral";
}
