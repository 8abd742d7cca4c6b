import type { KubeObject } from "@microremed/cluster";
import { oncePerFrozen } from "@microremed/core";
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
  return {
    extra: inventory.filter((object) => isGoing(object) || !recorded.has(identityOf(object))),
    missing: record.filter((object) => !live.has(identityOf(object))),
    changed: record.flatMap((object) => {
      const now = live.get(identityOf(object));
      if (!now || isGoing(now) || isSame(object, normalise(now))) return [];
      return [{ recorded: object, live: now }];
    }),
  };
}

const textOf = oncePerFrozen((object: KubeObject) => JSON.stringify(object));

function isSame(a: KubeObject, b: KubeObject): boolean {
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
