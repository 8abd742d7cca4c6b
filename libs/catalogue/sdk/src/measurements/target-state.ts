import type { Endpoints, Pod, Workload } from "@microremed/cluster";
import type { WorkloadSpec } from "../environment/environment.types.ts";

/** The target's objects as the API server had them at one moment. */
export interface TargetState {
  /** Cluster time, ms. */
  readonly at: number;
  /** Name of the target's workload. */
  readonly target: string;
  readonly spec: WorkloadSpec;
  /** Name of the container on which the fault acts. */
  readonly container: string;
  readonly workload: Workload | undefined;
  /** All pods of the target but those that have ended for good. */
  readonly pods: readonly Pod[];
  /** The environment's Services over the target. */
  readonly services: readonly ServiceState[];
}

/** One Service over the target, with the addresses behind it. */
export interface ServiceState {
  readonly name: string;
  /** As the environment has it, whatever it is now. */
  readonly selector: Readonly<Record<string, string>>;
  /** Undefined: the Service or its endpoints are gone. */
  readonly endpoints: Endpoints | undefined;
}

/** Ready by its condition and not being deleted, which is when a Service sends it requests. */
export function isPodReady(pod: Pod): boolean {
  const ready = pod.status?.conditions?.find(({ type }) => type === "Ready");
  return ready?.status === "True" && pod.metadata.deletionTimestamp === undefined;
}
