import type { DeadLetter, MessageContext } from "@microremed/bus";
import {
  EpisodeId,
  kindOf,
  type Stage,
  serviceOfStage,
  stageOfSubject,
  subjects,
} from "@microremed/contracts";
import { parseJson } from "@microremed/core";
import { z } from "zod";
import { applyEvent } from "../apply-event.ts";
import type { SchedulerDeps } from "../service.types.ts";

/** Whose a command or a result is. */
const Owner = z.object({ episodeId: EpisodeId, trial: z.int(), attempt: z.int() });

/**
 * Ends the stage of the episode that waits for what has died. Believed is only the service whose stage it is, and ourselves about
 * results. Every other letter, and one that is not what the episode waits for, is left to the people who read them.
 */
export async function takeDeadLetter(
  deps: SchedulerDeps,
  letter: DeadLetter,
  { subject, fields }: Pick<MessageContext, "subject" | "fields">,
): Promise<void> {
  const stage = stageOf(letter, subject);
  const owner = stage && ownerIn(letter.body);
  if (!stage || !owner) return;
  const { episodeId, trial, attempt } = owner;
  const message = `${stage} ended in the dead letters after ${letter.deliveries} deliveries: ${letter.reason}`;
  const error = { code: letter.code, message, details: { stage } };
  const next = await applyEvent(deps, episodeId, { kind: "dead-letter", stage, trial, attempt, error });
  Object.assign(fields, { stage, episode_id: episodeId, state: next?.state ?? "ignored" });
}

function stageOf(letter: DeadLetter, subject: string): Stage | undefined {
  const stage = stageOfSubject(letter.subject);
  if (stage === undefined) return undefined;
  const witness = isResult(letter.subject) ? "scheduler" : serviceOfStage[stage];
  return subject === subjects.deadLetter(witness) ? stage : undefined;
}

function isResult(subject: string): boolean {
  return kindOf({ subject }) === "results";
}

function ownerIn(body: string): z.output<typeof Owner> | undefined {
  return Owner.safeParse(parseJson(body)).data;
}
