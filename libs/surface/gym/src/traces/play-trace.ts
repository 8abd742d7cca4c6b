import type { ChatMessage } from "@microremed/contracts";
import type { Rng } from "@microremed/core";
import type { Gym } from "../create-gym.ts";
import type { RewardParts } from "../reward/rubric.ts";
import { type Course, type ExpertCase, expert } from "./expert.ts";

/** An investigation with what was said, and what it earned. */
export interface Played {
  readonly conversation: readonly ChatMessage[];
  readonly course: Course;
  readonly reward: number;
  readonly parts: RewardParts;
  readonly steps: number;
}

/** Why an investigation is no example. */
export type Refusal =
  | "not found" // the evidence did not show
  | "misled" // the evidence of something else showed
  | "not recovered"
  | "not clean"
  | "wrong answer"
  | "refused by the policy"
  | "harness failed";

/** More than any expert takes. */
const mostSteps = 150;

/** Lets an expert work on a fork of an episode, and closes it. Throws what the gym throws. */
export async function playTrace(
  gym: Gym,
  from: string,
  given: ExpertCase,
  rng: Rng,
  signal: AbortSignal,
): Promise<Played | Refusal> {
  const id = `${from}-trace`;
  gym.fork(from, [id]);
  try {
    const steps = expert(given, rng);
    let next = steps.next();
    for (let count = 0; !next.done && count < mostSteps; count++) {
      const { observation, done } = await gym.step(id, next.value, signal);
      next = steps.next({ text: observation.text, done });
    }
    if (!next.done) return "not found";
    return judged(gym, id, next.value);
  } finally {
    gym.close(id);
  }
}

function judged(gym: Gym, id: string, course: Course): Played | Refusal {
  const { reward, observation, done } = gym.current(id);
  const { reward_parts: parts } = observation;
  if (!done || !course.found) return "not found";
  if (reward === null || !parts) return "harness failed";
  if (course.misled) return "misled";
  if (parts.refused === 1) return "refused by the policy";
  if (parts.graded !== null) {
    if (parts.graded < 1) return "wrong answer";
  } else if (parts.recovered !== 1) return "not recovered";
  else if (parts.clean !== 1) return "not clean";
  const { conversation } = gym.state(id);
  return {
    conversation: conversation as readonly ChatMessage[],
    ...{ course, reward, parts, steps: observation.step_count },
  };
}
