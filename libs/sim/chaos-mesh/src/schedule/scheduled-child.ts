import { controllerReference } from "@microremed/sim-component-base";
import type { KubeObject, NewObject } from "@microremed/sim-objects";
import { type ChaosKind, chaosGroup } from "../model/chaos-kind.types.ts";
import { recordsOf, statusOf } from "../model/experiment.ts";
import { blockOf } from "./block-of.ts";

export const managedBy = "managed-by";

/** Whether an experiment that a Schedule made has done its work. */
export function isFinishedChild(child: KubeObject, kind: ChaosKind): boolean {
  const records = recordsOf(child) ?? [];
  const all = (phase: string): boolean => records.length > 0 && records.every((each) => each.phase === phase);
  if (kind.oneShot?.(child.spec)) return all("Injected");
  // A child without a duration never ends by itself; the original's collector takes it for finished.
  if (!child.spec?.duration) return true;
  return statusOf(child).experiment.desiredPhase === "Stop" && all("Not Injected");
}

/** Finished children beyond the Schedule's history limit, oldest first. */
export function beyondHistory(
  schedule: KubeObject,
  children: readonly KubeObject[],
  kind: ChaosKind,
): readonly KubeObject[] {
  const over = children
    .filter((child) => isFinishedChild(child, kind) && !child.metadata.deletionTimestamp)
    .sort((a, b) => (a.metadata.creationTimestamp < b.metadata.creationTimestamp ? -1 : 1));
  return over.slice(0, Math.max(0, over.length - (schedule.spec.historyLimit ?? 0)));
}

/** The experiment that a Schedule makes. */
export function scheduledChild(schedule: KubeObject, kind: ChaosKind, suffix: string): NewObject {
  const { namespace = "default", name } = schedule.metadata;
  return {
    apiVersion: `${chaosGroup}/v1alpha1`,
    kind: kind.kind,
    metadata: {
      name: `${name}-${suffix}`,
      namespace,
      labels: { [managedBy]: name },
      ownerReferences: [controllerReference(schedule)],
    },
    spec: schedule.spec[blockOf(kind.kind)],
  };
}

/** How a Schedule's status refers to a running child. */
export function childReference({ apiVersion, kind, metadata }: KubeObject): object {
  const { name, namespace, uid, resourceVersion } = metadata;
  return { apiVersion, kind, name, namespace, uid, resourceVersion };
}
