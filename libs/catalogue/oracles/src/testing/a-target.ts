import type { ServiceState, TargetState, WorkloadSpec } from "@microremed/catalogue";
import { type ProbeSpec, probeHandlers } from "@microremed/catalogue/environment";
import type { Container, Pod, ReadinessProbe, Workload } from "@microremed/cluster";
import { environments } from "@microremed/environments";

const environment = environments.get("online-boutique");
const target = "cartservice";
const spec = environment.workloads[target] as WorkloadSpec;

const containers: Container[] = spec.containers.map(
  ({ name, image, resources, volumeMounts, readinessProbe }) => ({
    name,
    image,
    ...(readinessProbe && { readinessProbe: probeAs(readinessProbe) }),
    resources: {
      requests: resources.requests as Record<string, string>,
      limits: resources.limits as Record<string, string>,
    },
    volumeMounts: Object.entries(volumeMounts).map(([mountPath, volume]) => ({ name: volume, mountPath })),
  }),
);

/** Without its command: the judge reads how the program is asked, and how soon a failure is noticed. */
function probeAs({ type, periodSeconds, failureThreshold }: ProbeSpec): ReadinessProbe {
  return { [probeHandlers[type]]: {}, periodSeconds, failureThreshold };
}

/** A running pod of the target. Without `change` it is healthy and ready; its uid follows from its name. */
export function aPod(
  change: {
    name?: string;
    ready?: boolean;
    containers?: Container[];
    terminating?: boolean;
    /** Why its containers wait to be started. */
    waiting?: string;
  } = {},
): Pod {
  const { name = "cartservice-1", ready = true, terminating = false } = change;
  return {
    metadata: {
      name,
      uid: `uid-${name}`,
      labels: { app: target },
      ...(terminating && { deletionTimestamp: "2026-01-01T00:00:00Z" }),
    },
    spec: { containers: change.containers ?? containers },
    status: {
      phase: "Running",
      podIP: "10.0.0.1",
      conditions: [{ type: "Ready", status: ready ? "True" : "False" }],
      containerStatuses: containers.map((one) => ({
        name: one.name,
        ready,
        restartCount: 0,
        ...(change.waiting !== undefined && { state: { waiting: { reason: change.waiting } } }),
      })),
    },
  };
}

/** The target's workload, rolled out and with all replicas ready. `counts` replaces fields of its status. */
export function aWorkload(replicas = 1, counts: Partial<NonNullable<Workload["status"]>> = {}): Workload {
  return {
    metadata: { name: target, uid: "uid-cart", generation: 3 },
    spec: { replicas, template: { spec: { containers } } },
    status: {
      observedGeneration: 3,
      replicas,
      updatedReplicas: replicas,
      readyReplicas: replicas,
      availableReplicas: replicas,
      ...counts,
    },
  };
}

/** The cart's Service, leading to these addresses. */
export function aService(...ips: string[]): ServiceState {
  const addresses = (ips.length === 0 ? ["10.0.0.1"] : ips).map((ip) => ({ ip }));
  return {
    name: target,
    selector: { app: target },
    endpoints: { metadata: { name: target }, subsets: [{ addresses }] },
  };
}

/** Healthy cartservice with one pod, except for what is given. */
export function aTarget(change: Partial<TargetState> = {}): TargetState {
  return {
    at: 1_000_000,
    target,
    spec,
    container: "server",
    workload: aWorkload(),
    pods: [aPod()],
    services: [aService()],
    ...change,
  };
}

/** The target's containers with other resources or images for `server`. */
export function containersWith(change: Partial<Container>): Container[] {
  return containers.map((one) => (one.name === "server" ? { ...one, ...change } : one));
}
