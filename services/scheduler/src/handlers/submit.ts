import { createHash, randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type MessageContext, traceHeaders } from "@microremed/bus";
import {
  type ExperimentRecord,
  plannedRecord,
  type RangeEvent,
  type RequestIssue,
  type SubmitReply,
  subjects,
} from "@microremed/contracts";
import { harnessVersion } from "@microremed/core";
import { wantsOf } from "@microremed/episode";
import { checkRequest } from "../check-request.ts";
import { plannedAtOnce } from "../plan-ahead.ts";
import type { SchedulerDeps } from "../service.types.ts";
import { unusableModels } from "../unusable-models.ts";

/** Starts an experiment, or says what is wrong with the request. Repeating it changes nothing. */
export async function submit(
  deps: SchedulerDeps,
  text: string,
  context: Pick<MessageContext, "messageId" | "reply" | "fields">,
): Promise<void> {
  const checked = checkRequest(text, deps.catalog);
  if (!checked.ok) return reject(deps, checked.id, checked.issues, context);
  const { plan, request } = checked;
  const id = request.id ?? idFor(nameOf(request), context.messageId);
  const unusable = (await deps.state.experiments.get(id))
    ? []
    : await unusableModels(deps.bus, deps.catalog, request);
  if (unusable.length > 0) return reject(deps, request.id, unusable, context);
  const submittedAt = deps.now();
  const record: ExperimentRecord = {
    id,
    request: { ...request, id },
    status: "running",
    episodes: plan.total,
    harnessVersion,
    range: deps.range ?? "processes",
    ...(request.agentSeed === undefined && { drawsKey: randomBytes(16).toString("hex") }),
    submittedAt,
    finishedAt: null,
  };
  const stored = await deps.state.experiments.create(record, {
    wants: wantsOf(request),
    episodes: plan.episodes(0, plannedAtOnce).map((planned) => plannedRecord(id, planned)),
    messages: [startedMessage(record)],
  });
  if (!isDeepStrictEqual(stored.record.request, record.request)) {
    const message = `an experiment ${JSON.stringify(id)} with another request exists; leave the id out or choose another`;
    return reject(deps, undefined, [{ path: "id", message }], context);
  }
  deps.relaySoon();
  deps.dispatchSoon();
  Object.assign(context.fields, { experiment_id: id, episodes: plan.total, created: stored.created });
  const reply: SubmitReply = {
    ...{ status: "accepted", experimentId: id, episodes: plan.total },
    created: stored.created,
  };
  await context.reply?.(reply);
}

/** What an experiment is about, for its id. */
function nameOf({ environment, problems }: ExperimentRecord["request"]): string {
  return environment ?? (typeof problems === "string" ? problems : "problems");
}

/** The same on every delivery of one message. */
function idFor(subject: string, messageId: string): string {
  const digest = createHash("sha256").update(messageId).digest("hex").slice(0, 8);
  const name = subject
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 48);
  return `${name}-${digest}`.replace(/^-+/, "");
}

function startedMessage({ id, request, episodes, submittedAt }: ExperimentRecord) {
  const event: RangeEvent = {
    type: "experiment-started",
    experimentId: id,
    at: submittedAt,
    request,
    episodes,
  };
  const subject = subjects.event(id, "-", event.type);
  return { subject, body: event, msgId: `${id}/${event.type}`, headers: traceHeaders() };
}

/** Says so under the request's own id, unless that is another experiment's. */
async function reject(
  { bus, state, now }: SchedulerDeps,
  id: string | undefined,
  issues: readonly RequestIssue[],
  context: Pick<MessageContext, "messageId" | "reply" | "fields">,
): Promise<void> {
  const taken = id !== undefined && (await state.experiments.get(id)) !== undefined;
  const experimentId = id === undefined || taken ? "rejected" : id;
  const event: RangeEvent = { type: "experiment-rejected", experimentId, at: now(), issues: [...issues] };
  await bus.publish(subjects.event(experimentId, "-", event.type), event, {
    msgId: `${context.messageId}/rejected`,
  });
  Object.assign(context.fields, { rejected: issues.map(({ path }) => path).slice(0, 20) });
  const reply: SubmitReply = { status: "rejected", issues: [...issues] };
  await context.reply?.(reply);
}
