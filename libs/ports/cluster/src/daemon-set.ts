import type { KubeObject, Workload } from "./kube-object.ts";

interface DaemonSetStatus {
  readonly observedGeneration?: number;
  readonly currentNumberScheduled?: number;
  readonly desiredNumberScheduled?: number;
  readonly numberReady?: number;
  readonly numberAvailable?: number;
  readonly updatedNumberScheduled?: number;
}

/** A DaemonSet with the counts of a Deployment: it wants as many replicas as there are nodes that suit. */
export function asReplicas(daemonSet: KubeObject): Workload {
  const { spec, status = {} } = daemonSet as Workload & { readonly status?: DaemonSetStatus };
  const {
    observedGeneration,
    currentNumberScheduled: replicas,
    desiredNumberScheduled: wanted = 0,
    numberReady: readyReplicas,
    numberAvailable: availableReplicas,
    updatedNumberScheduled: updatedReplicas,
  } = status;
  return {
    ...daemonSet,
    spec: { ...spec, replicas: wanted },
    status: {
      ...(observedGeneration !== undefined && { observedGeneration }),
      ...(replicas !== undefined && { replicas }),
      ...(readyReplicas !== undefined && { readyReplicas }),
      ...(availableReplicas !== undefined && { availableReplicas }),
      ...(updatedReplicas !== undefined && { updatedReplicas }),
    },
  };
}
