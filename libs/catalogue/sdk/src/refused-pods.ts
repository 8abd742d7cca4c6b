import { type Kind, type KubeObject, kinds } from "@microremed/cluster";
import type { FaultContext, FaultStatus } from "./fault.ts";
import { targetOf } from "./target.ts";
import { podsOf } from "./workload-pods.ts";

/** The object for which the API server refuses pods; `namespace`: undefined where it is in none. */
interface Refusing {
  readonly kind: Kind;
  readonly namespace: string | undefined;
  readonly name: string;
  /** Whether it refuses pods as it is. Absent: always. */
  readonly refuses?: (object: KubeObject) => boolean;
}

/** The status of a fault for whose object new pods are refused: it acts while the object is there and pods are missing. */
export async function refusedStatus(context: FaultContext, refusing: Refusing): Promise<FaultStatus> {
  const { cluster, namespace, environment, target } = context;
  const { kind, name, refuses = () => true } = refusing;
  const object = await cluster.get(kind, refusing.namespace, name);
  const isThere = object !== undefined && refuses(object);
  const place = targetOf(environment, target);
  const owner = place?.workload.kind === "StatefulSet" ? kinds.statefulSet : kinds.deployment;
  const [all, workload] = await Promise.all([
    podsOf(context),
    cluster.get(owner, namespace, place?.name ?? target),
  ]);
  const pods = all.filter(({ metadata }) => !metadata.deletionTimestamp);
  const wanted = workload?.spec?.replicas ?? 1;
  // Its controller has seen that pods are gone.
  const hasTried = (workload?.status?.replicas ?? 0) < wanted;
  return {
    present: isThere,
    injected: isThere && hasTried && pods.length < wanted,
    pods: pods.map(({ metadata }) => metadata.name),
    expiresAt: null,
    note: `there is ${isThere ? "a" : "no"} ${kind.kind} ${name} that refuses pods; ${target} has ${pods.length} pods of ${wanted}`,
  };
}
