import { type Endpoints, kinds, type Pod, type Workload } from "@microremed/cluster";
import type { Environment, ServiceSpec, WorkloadSpec } from "@microremed/environments";
import { type FaultContext, targetOf } from "@microremed/faults";

/** The target's objects as the API server had them at one moment. */
export interface TargetState {
  /** Cluster time, ms. */
  readonly at: number;
  readonly target: string;
  readonly spec: WorkloadSpec;
  /** The container on which faults act. */
  readonly container: string;
  readonly workload: Workload | undefined;
  /** All pods of the target but those that have ended for good. */
  readonly pods: readonly Pod[];
  /** The environment's Services over the target. */
  readonly services: readonly ServiceState[];
}

export interface ServiceState {
  readonly name: string;
  /** As the environment has it, whatever it is now. */
  readonly selector: Readonly<Record<string, string>>;
  /** Undefined: the Service or its endpoints are gone. */
  readonly endpoints: Endpoints | undefined;
}

export async function observeTarget(context: FaultContext): Promise<TargetState> {
  const { cluster, namespace, environment, target } = context;
  const found = targetOf(environment, target);
  if (!found) throw new RangeError(`${environment.name} has no workload ${target}`);
  const kind = found.workload.kind === "StatefulSet" ? kinds.statefulSet : kinds.deployment;
  const services = servicesOf(environment, target);
  const [at, workload, pods, ...endpoints] = await Promise.all([
    cluster.clock.now(),
    cluster.get(kind, namespace, target),
    cluster.list(kinds.pod, { namespace, labelSelector: `app=${target}` }),
    ...services.map(([name]) => cluster.get(kinds.endpoints, namespace, name)),
  ]);
  return {
    at,
    target,
    spec: found.workload,
    container: found.container.name,
    workload,
    pods: pods.filter(({ status }) => status?.phase !== "Succeeded" && status?.phase !== "Failed"),
    services: services.map(([name, { selector }], index) => ({
      name,
      selector,
      endpoints: endpoints[index],
    })),
  };
}

function servicesOf(environment: Environment, target: string): [string, ServiceSpec][] {
  return Object.entries(environment.services).filter(([, { selector }]) => selector["app"] === target);
}

/** Each replica's identity and restarts: equal at two moments means that nothing restarted between them. */
export function instancesOf({ pods }: TargetState): string {
  return pods
    .map(({ metadata, status }) => {
      const restarts = (status?.containerStatuses ?? []).map((one) => `${one.name}:${one.restartCount ?? 0}`);
      return `${metadata.uid} ${restarts.sort().join(" ")}`;
    })
    .sort()
    .join("\n");
}

/** Whether a container has crashed and waits for the kubelet to start it again. */
export function isBackingOff({ pods }: TargetState): boolean {
  return pods
    .flatMap(({ status }) => [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])])
    .some(({ state }) => state?.waiting?.reason === "CrashLoopBackOff");
}

/**
 * Whether a pod is on its way to Ready: it runs what the template says and may get there by itself, after minutes where
 * its readiness probe waits for a slow program.
 */
export function isStarting({ pods, workload }: TargetState): boolean {
  const wanted = workload?.spec?.template?.spec?.containers ?? [];
  return pods.some((pod) => {
    const own = wanted.every(
      ({ name, image }) => pod.spec?.containers.find((one) => one.name === name)?.image === image,
    );
    return own && !isPodReady(pod) && pod.metadata.deletionTimestamp === undefined;
  });
}

/** What somebody made of the target: unchanged means that nobody and nothing is still at work on it. */
export function shapeOf({ workload, pods }: TargetState): string {
  const shapes = pods.map(({ metadata, spec }) => {
    const containers = (spec?.containers ?? []).map(({ image, resources }) => [image, resources]);
    return JSON.stringify([metadata.uid, metadata.deletionTimestamp, containers]);
  });
  return [workload?.metadata.uid, workload?.metadata.generation, ...shapes.sort()].join("\n");
}

export function isPodReady(pod: Pod): boolean {
  const ready = pod.status?.conditions?.find(({ type }) => type === "Ready");
  return ready?.status === "True" && pod.metadata.deletionTimestamp === undefined;
}
