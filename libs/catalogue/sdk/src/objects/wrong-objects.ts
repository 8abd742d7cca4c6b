import { kinds } from "@microremed/cluster";
import type { GroundTruth } from "../ground-truth.ts";
import type { ObjectRef } from "./object-ref.ts";

const chaosKinds: ReadonlySet<string> = new Set(
  Object.values(kinds).flatMap(({ kind, apiVersion }) =>
    apiVersion.startsWith("chaos-mesh.org/") ? [kind] : [],
  ),
);
const workloadKinds: readonly string[] = ["Deployment", "StatefulSet", "DaemonSet"];

/** Whether an object is one of the fault injector's, which an agent that answers a question cannot see. */
export function isHidden({ kind }: Pick<ObjectRef, "kind">): boolean {
  return chaosKinds.has(kind);
}

/**
 * What of the system is wrong, as far as an agent can see it: for an object of the fault injector the workload on which it
 * acts. Empty: nothing is wrong.
 */
export function wrongObjects({ objects, affected }: Pick<GroundTruth, "objects" | "affected">): ObjectRef[] {
  const workloads = affected.filter(({ kind }) => workloadKinds.includes(kind));
  const suffering = workloads.length > 0 ? workloads : affected;
  return objects.flatMap(({ kind, name, namespace }) =>
    isHidden({ kind }) ? suffering : [{ kind, name, ...(namespace !== undefined && { namespace }) }],
  );
}
