import {
  type EpisodeDocument,
  type ExperimentRequest,
  experimentIdOf,
  type PlannedEpisode,
} from "@microremed/contracts";
import { AppError } from "@microremed/core";
import { outcomeProblems } from "@microremed/leaderboard";
import { planRequest } from "@microremed/planner";
import type { Catalogue } from "@microremed/registry";
import type { Unfounded } from "@microremed/scoring";

/** What a saved run is, held against its own request and against what is saved of each episode. */
export interface SavedCheck {
  /** Episodes that the request plans; null: this version and catalogue cannot plan it. */
  readonly planned: number | null;
  /** Episodes that are not to be believed as they are. */
  readonly unfounded: readonly Unfounded[];
}

/**
 * Plans the request of saved episodes again, and asks of each episode whether the plan has it, once, and whether its outcome follows
 * from what is saved with it. What cannot be checked here is named as such; nothing throws.
 */
export async function checkSaved(
  documents: readonly EpisodeDocument[],
  catalogue: Catalogue,
): Promise<SavedCheck> {
  const [first] = documents;
  const plan = first && plannedFor({ ...first.request, id: experimentIdOf(first.id) }, catalogue);
  const seen = new Set<number>();
  const unfounded: Unfounded[] = [];
  for (const document of documents) {
    const again = seen.has(document.index) ? ["its index is there twice"] : [];
    seen.add(document.index);
    const stranger =
      plan && !isOfPlan(document, plan[document.index]) ? ["its request does not plan it"] : [];
    const outcome = await outcomeProblems(document, catalogue).catch((error: unknown) => [
      `it cannot be checked here: ${AppError.from(error).message}`,
    ]);
    const problems = [...again, ...stranger, ...outcome];
    if (problems.length > 0) unfounded.push({ id: document.id, problems });
  }
  return { planned: plan?.length ?? null, unfounded };
}

/** Whether a saved episode is the planned one. A case that was drawn again has another target; all else is as it was planned. */
export function isOfPlan(found: EpisodeDocument, planned: PlannedEpisode | undefined): boolean {
  const key = (one: PlannedEpisode) =>
    JSON.stringify([one.caseId.split("/").slice(0, 3), one.model, one.method, one.repeat]);
  return planned !== undefined && key(planned) === key(found);
}

/** By index; undefined: it cannot be planned here. */
function plannedFor(request: ExperimentRequest, catalogue: Catalogue): PlannedEpisode[] | undefined {
  try {
    const plan = planRequest(request, { catalogue, environment: undefined });
    return plan.episodes(0, plan.total);
  } catch {
    return undefined;
  }
}
