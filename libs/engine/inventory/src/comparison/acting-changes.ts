import { type KubeObject, type Workload, webhooksOf } from "@microremed/cluster";
import type { Change } from "@microremed/contracts";
import { isJsonObject } from "@microremed/core";
import { actingOn, isChaos, placeOf, stampOf } from "../acting.ts";
import { isChaosRules } from "../chaos-rules.ts";
import type { Difference } from "../difference.ts";
import { changeOf, type Expected, isWorkload } from "../expected.ts";
import { identityOf } from "../inventory.ts";
import { isMadeBySchedule } from "../made-by-schedule.ts";
import { leavesRoom } from "../quota-room.ts";
import type { ArenaObjects } from "../read-arena.ts";
import { reachesPods } from "../webhook-reach.ts";

/** Objects that act by being there: only those may that did so before the remedies. */
export function actingChanges(expected: Expected, arena: ArenaObjects, difference: Difference): Change[] {
  const { mark, record } = expected;
  const around = new Set(arena.around);
  const declared = new Set(record.map(identityOf));
  const extra = new Set(difference.extra.map(identityOf));
  const acting = actingOn(arena);
  const standing = acting.filter(
    (one) => mark?.causes.includes(placeOf(one)) && mark.acting[placeOf(one)] === stampOf(one),
  );
  return acting.flatMap((object): Change[] => {
    const identity = identityOf(object);
    // What is declared is compared with its declaration.
    if (!around.has(object) && declared.has(identity) && !extra.has(identity)) return [];
    const place = placeOf(object);
    if (mark === undefined) {
      // Before an injection: quotas and webhooks that are there belong to the cluster.
      return around.has(object) && !isChaos(object)
        ? []
        : [changeOf(expected, "added", object, "acts", describeActing(object))];
    }
    if (standing.some((schedule) => isMadeBySchedule(object, schedule)))
      return [changeOf(expected, "added", object, "spent")];
    const before = mark.acting[place];
    if (before === stampOf(object)) {
      if (mark.causes.includes(place) || isChaosRules(object))
        return [changeOf(expected, "added", object, "spent")];
      return (identity in mark.arena && !around.has(object)) || isOwnWebhook(object, arena)
        ? [changeOf(expected, "added", object, "unrepaired")]
        : [];
    }
    const what = before === undefined ? "added" : "changed";
    const isSame = before?.startsWith(`${object.metadata.uid} `) ?? false;
    const is =
      isSame && (isWideQuota(object, arena) || isIgnoredWebhook(object) || isUnasked(object, arena))
        ? "allowed"
        : "acts";
    return [changeOf(expected, what, object, is, describeActing(object))];
  });
}

/** Webhooks that can only refuse, and whose failure is ignored. */
const isIgnoredWebhook = ({ kind, webhooks }: KubeObject): boolean =>
  kind === "ValidatingWebhookConfiguration" &&
  Array.isArray(webhooks) &&
  webhooks.every((one) => isJsonObject(one) && one["failurePolicy"] === "Ignore");

/**
 * The arena's own webhooks: only a fault makes them. As long as they are as it left them the next pods are refused, or are as it
 * wants them, whatever those are that there are now.
 */
const isOwnWebhook = ({ kind = "", metadata }: KubeObject, { namespace }: ArenaObjects): boolean =>
  kind.endsWith("WebhookConfiguration") && metadata.name === webhooksOf(namespace);

/** Webhooks that are asked about no pod of the namespace's workloads. */
const isUnasked = (object: KubeObject, { namespace, objects }: ArenaObjects): boolean =>
  object.kind === "MutatingWebhookConfiguration" &&
  !reachesPods(object, namespace, objects.filter(isWorkload) as readonly Workload[]);

/** A quota that refuses no pod of the namespace's workloads, whatever it did before. */
const isWideQuota = (object: KubeObject, { objects }: ArenaObjects): boolean =>
  object.kind === "ResourceQuota" && leavesRoom(object, objects.filter(isWorkload) as readonly Workload[]);

function describeActing({ metadata, spec }: KubeObject): string {
  const pause = metadata.annotations?.["experiment.chaos-mesh.org/pause"];
  const action = isJsonObject(spec) && typeof spec["action"] === "string" ? [`action ${spec["action"]}`] : [];
  return [...action, ...(pause === undefined ? [] : [`paused: ${pause}`])].join(", ");
}
