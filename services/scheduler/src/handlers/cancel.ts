import type { MessageContext } from "@microremed/bus";
import { type CancelReply, CancelRequest, issuesIn, type RequestIssue } from "@microremed/contracts";
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
  const { experimentId } = read;
  // From here on none of its episodes is given an arena, so waiting ones are ended here.
  const running = await deps.state.experiments.cancel(experimentId);
  if (!running)
    return reject([{ path: "experimentId", message: `${experimentId} is no experiment that runs` }]);
  await answer({ status: "accepted", experimentId });
  await cancelAll(deps, await deps.state.episodes.active(experimentId));
  for (;;) {
    const pending = await deps.state.episodes.pending(experimentId, batch);
    if (pending.length === 0) return;
    await cancelAll(deps, pending);
  }
}

function readRequest(text: string): CancelRequest | { readonly issues: readonly RequestIssue[] } {
  const read = readJson(text);
  if ("issues" in read) return read;
  const parsed = CancelRequest.safeParse(read.value);
  return parsed.success ? parsed.data : { issues: issuesIn(parsed.error) };
}

async function cancelAll(deps: SchedulerDeps, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += lanes) {
    await Promise.all(ids.slice(from, from + lanes).map((id) => applyEvent(deps, id, { kind: "cancel" })));
  }
}
