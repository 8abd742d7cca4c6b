import type { KubeObject } from "@microremed/cluster";
import { isJsonObject, oncePerFrozen } from "@microremed/core";
import { autoscaledBy, withoutReplicas } from "./autoscaled.ts";
import { changedFields, describeFields, pathText } from "./fields.ts";
import { identityOf } from "./inventory.ts";
import { normalise } from "./normalise.ts";

/** How a namespace departs from its record. */
export interface Difference {
  /** In the namespace, not in the record. */
  readonly extra: readonly KubeObject[];
  /** In the record, not in the namespace. */
  readonly missing: readonly KubeObject[];
  readonly changed: readonly { readonly recorded: KubeObject; readonly live: KubeObject }[];
}

/** `record` is normalised already. An object that is being deleted counts as extra: it must go before its like comes. */
export function differenceOf(record: readonly KubeObject[], inventory: readonly KubeObject[]): Difference {
  const recorded = new Map(record.map((object) => [identityOf(object), object]));
  const live = new Map(inventory.map((object) => [identityOf(object), object]));
  const isGoing = (object: KubeObject): boolean => object.metadata.deletionTimestamp !== undefined;
  const isAutoscaled = autoscaledBy(record);
  return {
    extra: inventory.filter((object) => isGoing(object) || !recorded.has(identityOf(object))),
    missing: record.filter((object) => !live.has(identityOf(object)) && !goesByItself(object)),
    changed: record.flatMap((object) => {
      const now = live.get(identityOf(object));
      if (!now || isGoing(now)) return [];
      const is = normalise(now);
      const isEqual = isAutoscaled(is, replicasOf(is))
        ? isSame(withoutReplicas(object), withoutReplicas(is))
        : isSame(object, is);
      if (isEqual) return [];
      return [{ recorded: object, live: now }];
    }),
  };
}

/** The number that a workload asks for. */
export const replicasOf = ({ spec }: KubeObject): unknown =>
  isJsonObject(spec) ? spec["replicas"] : undefined;

/** A Job that is to be removed once it is complete has done its work when it has gone. */
const goesByItself = ({ kind, spec }: KubeObject): boolean =>
  kind === "Job" && isJsonObject(spec) && spec["ttlSecondsAfterFinished"] !== undefined;

const textOf = oncePerFrozen((object: KubeObject) => JSON.stringify(object));

/** Whether two normalised objects are the same. */
export function isSame(a: KubeObject, b: KubeObject): boolean {
  return textOf(a) === textOf(b);
}

/** Whether nothing differs. */
export function isEmpty({ extra, missing, changed }: Difference): boolean {
  return extra.length + missing.length + changed.length === 0;
}

/** In words, for logs and errors. */
export function describeDifference({ extra, missing, changed }: Difference): string {
  const parts = [
    ...extra.map((object) => `extra ${identityOf(object)}`),
    ...missing.map((object) => `missing ${identityOf(object)}`),
    ...changed.map(
      ({ recorded, live }) =>
        `changed ${identityOf(recorded)} (${describeChange(recorded, normalise(live))})`,
    ),
  ];
  const shown = parts.slice(0, 10).join(", ");
  return parts.length > 10 ? `${shown} and ${parts.length - 10} more` : shown;
}

function describeChange(recorded: KubeObject, live: KubeObject): string {
  const fields = changedFields(recorded, live);
  if (fields.length === 0) return "only the order of a list, or the mark of a restart";
  // What a Secret holds is not for logs.
  return recorded.kind === "Secret" ? fields.slice(0, 5).map(pathText).join("; ") : describeFields(fields);
}
