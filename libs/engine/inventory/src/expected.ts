import type { Environment } from "@microremed/catalogue";
import type { KubeObject } from "@microremed/cluster";
import { type Change, type DamageClass, noFailure } from "@microremed/contracts";
import { identityOf } from "./inventory.ts";
import type { Mark } from "./mark.ts";

/** What an arena is compared with. */
export interface Expected {
  readonly environment: Environment;
  /** Name of the failed workload; undefined: none has failed. */
  readonly target: string | undefined;
  /** Normalised, as the arena was deployed. */
  readonly record: readonly KubeObject[];
  /** The same with all that noises have made of it, as they were placed; absent: there are none. */
  readonly withNoise?: readonly KubeObject[];
  /** As it was right after the injection; undefined: nothing has been injected. */
  readonly mark: Mark | undefined;
  /** The fault is in the resources of the target: others are a repair. Of further faults the mark says so. */
  readonly resourcesMayDiffer: boolean;
}

/** Which workloads have failed. */
export type Failed = Pick<Expected, "target" | "mark">;

/** Whether a fault of the incident was injected into the workload. Where nothing is wrong the target is only what is measured. */
export const isFailed = ({ target, mark }: Failed, workload: string | undefined): boolean =>
  workload !== undefined &&
  mark?.failure !== noFailure &&
  (workload === target || mark?.alsoFailed.includes(workload) === true);

/** Whether a fault of the incident is in the resources of the workload: others there are a repair. */
export const mayDiffer = ({ target, resourcesMayDiffer, mark }: Expected, workload: string): boolean =>
  (workload === target && resourcesMayDiffer) || mark?.resourcesOf.includes(workload) === true;

/** Whether an object makes pods that stay. */
export const isWorkload = ({ kind = "" }: KubeObject): boolean =>
  ["Deployment", "StatefulSet", "DaemonSet"].includes(kind);

/** The change that an object is, or has. */
export function changeOf(
  expected: Failed,
  what: Change["what"],
  object: KubeObject,
  is: DamageClass,
  detail = "",
): Change {
  const isTarget = isFailed(expected, object.metadata.name) && isWorkload(object);
  return { where: isTarget ? "target" : "arena", what, object: identityOf(object), detail, class: is };
}

/** The change that a finding about a pod of a workload is. */
export const podChange = (
  expected: Failed,
  {
    pod,
    workload,
    detail,
  }: { readonly pod: KubeObject; readonly workload: string | undefined; readonly detail: string },
  is: DamageClass,
  what: Change["what"] = "changed",
): Change => ({
  where: isFailed(expected, workload) ? "target" : "arena",
  what,
  object: identityOf({ ...pod, kind: "Pod" }),
  detail,
  class: is,
});
