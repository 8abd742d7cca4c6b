import type { MessageContext } from "@microremed/bus";
import { type CancelReply, CancelRequest, issuesIn, type RequestIssue } from "@microremed/contracts";
import type { EpisodeEvent } from "@microremed/episode";
import { applyEvent } from "../apply-event.ts";
import { readJson } from "../read-json.ts";
import type { SchedulerDeps } from "../service.types.ts";

const batch = 200;
/** Episodes cancelled at once. */
const lanes = 20;

/**
 * Ends an experiment, or says why there is nothing to end: waiting episodes end at once, the others after their arenas are
 * restored. Repeating it changes nothing.
 */
export async function cancel(
  deps: SchedulerDeps,
  text: string,
  context: Pick<MessageContext, "reply">,
): Promise<void> {
  const answer = async (reply: CancelReply): Promise<void> => context.reply?.(reply);
  const reject = async (issues: readonly RequestIssue[]): Promise<void> => {
    deps.log.warn({ issues }, "nothing is cancelled");
    await answer({ status: "rejected", issues: [...issues] });
  };
  const read = readRequest(text);
  if (!("experimentId" in read)) return reject(read.issues);
  const { experimentId, by } = read;
  // From here on none of its episodes is given an arena, so waiting ones are ended here.
  const running = await deps.state.experiments.cancel(experimentId, by);
  if (!running)
    return reject([{ path: "experimentId", message: `${experimentId} is no experiment that runs` }]);
  await answer({ status: "accepted", experimentId });
  const event = { kind: "cancel", by } as const;
  await applyAll(deps, await deps.state.episodes.active(experimentId), event);
  for (;;) {
    const pending = await deps.state.episodes.pending(experimentId, batch);
    if (pending.length === 0) return;
    await applyAll(deps, pending, event);
  }
}

function readRequest(text: string): CancelRequest | { readonly issues: readonly RequestIssue[] } {
  const read = readJson(text);
  if ("issues" in read) return read;
  const parsed = CancelRequest.safeParse(read.value);
  return parsed.success ? parsed.data : { issues: issuesIn(parsed.error) };
}

async function applyAll(deps: SchedulerDeps, ids: readonly string[], event: EpisodeEvent): Promise<void> {
  for (let from = 0; from < ids.length; from += lanes) {
    await Promise.all(ids.slice(from, from + lanes).map((id) => applyEvent(deps, id, event)));
  }
}
