import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";

/**
 * Whether a Schedule of Chaos Mesh has made a chaos object: its controller, the kind that it makes, and everything that it asks for.
 * Webhooks may have filled in more.
 */
export function isMadeBySchedule(object: KubeObject, schedule: KubeObject): boolean {
  const { spec: asked } = schedule;
  const { spec: made } = object;
  if (schedule.kind !== "Schedule" || !isJsonObject(asked) || !isJsonObject(made)) return false;
  const isOwn = (object.metadata.ownerReferences ?? []).some(
    ({ controller, kind, name, uid }) =>
      controller === true &&
      kind === "Schedule" &&
      name === schedule.metadata.name &&
      uid === schedule.metadata.uid,
  );
  if (!isOwn || asked["type"] !== object.kind || object.metadata.annotations?.[pause] !== undefined)
    return false;
  const block = Object.entries(asked).find(
    ([name]) => name.toLowerCase() === object.kind?.toLowerCase(),
  )?.[1];
  return isJsonObject(block) && holdsAll(made, block);
}

/** Whether a value has all that another one has: fields may be added, items of lists may not. */
const holdsAll = (value: unknown, wanted: unknown): boolean =>
  isJsonObject(wanted)
    ? isJsonObject(value) && Object.entries(wanted).every(([field, one]) => holdsAll(value[field], one))
    : isDeepStrictEqual(value, wanted);

const pause = "experiment.chaos-mesh.org/pause";
