import type { MessageContext } from "@microremed/bus";
import type { StageResult } from "@microremed/contracts";
import { applyEvent } from "../apply-event.ts";
import type { SchedulerDeps } from "../service.types.ts";

/** Takes a stage's result into its episode; one that the episode does not wait for changes nothing. */
export async function takeResult(
  deps: SchedulerDeps,
  result: StageResult,
  context: Pick<MessageContext, "fields">,
): Promise<void> {
  const next = await applyEvent(deps, result.episodeId, { kind: "result", result });
  Object.assign(context.fields, { status: result.body.status, state: next?.state ?? "ignored" });
}
