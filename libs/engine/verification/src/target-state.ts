import {
  isPodReady,
  type OracleContext,
  selectorText,
  servicesOver,
  type TargetState,
  targetOf,
} from "@microremed/catalogue";
import { kinds, type Pod } from "@microremed/cluster";
import { terminal } from "@microremed/core";

/** The target's workload, its pods and the Services over it. */
export async function observeTarget(context: OracleContext): Promise<TargetState> {
  const { cluster, namespace, environment } = context;
  const subject = context.subject ?? context.target;
  const place = targetOf(environment, subject);
  if (!place) {
    throw terminal("invalid-request", `${environment.name} has no workload ${JSON.stringify(subject)}`);
  }
  const { name, workload: spec, container } = place;
  const kind = spec.kind === "StatefulSet" ? kinds.statefulSet : kinds.deployment;
  const services = servicesOver(environment, name);
  const [at, workload, pods, ...endpoints] = await Promise.all([
    cluster.clock.now(),
    cluster.get(kind, namespace, name),
    cluster.list(kinds.pod, { namespace, labelSelector: selectorText(spec.selector) }),
    ...services.map(([service]) => cluster.get(kinds.endpoints, namespace, service)),
  ]);
  return {
    at,
    target: name,
    spec,
    container: container.name,
    workload,
    pods: pods.filter(({ status }) => status?.phase !== "Succeeded" && status?.phase !== "Failed"),
    services: services.map(([service, { selector }], index) => ({
      name: service,
      selector,
      endpoints: endpoints[index],
    })),
  };
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
    return own && !isPodReady(pod) && pod.metadata.deletionTimestamp === undefined && !isStuck(pod);
  });
}

/** Whether a container cannot be started until its spec or what it names changes: an image that is not there, a key that a ConfigMap lacks. */
export function hasStuckPod({ pods }: TargetState): boolean {
  return pods.some((pod) => pod.metadata.deletionTimestamp === undefined && isStuck(pod));
}

const stuckReasons = new Set([
  "ErrImagePull",
  "ImagePullBackOff",
  "InvalidImageName",
  "ErrImageNeverPull",
  "CreateContainerConfigError",
  "CreateContainerError",
]);

function isStuck({ status }: Pod): boolean {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].some(({ state }) =>
    stuckReasons.has(state?.waiting?.reason ?? ""),
  );
}

/** The desired state of the target: unchanged means that there is no more work on it. */
export function shapeOf({ workload, pods }: TargetState): string {
  const shapes = pods.map(({ metadata, spec }) => {
    const containers = (spec?.containers ?? []).map(({ image, resources }) => [image, resources]);
    return JSON.stringify([metadata.uid, metadata.deletionTimestamp, containers]);
  });
  return [workload?.metadata.uid, workload?.metadata.generation, ...shapes.sort()].join("\n");
}
