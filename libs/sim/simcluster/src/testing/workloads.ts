import type { KubeObject, NewObject } from "@microremed/sim-objects";

interface PodOptions {
  readonly image?: string;
  readonly command?: readonly string[];
  readonly container?: object;
  readonly spec?: object;
}

/** A pod's spec with one container `main`; nginx on port 80 with a readiness probe unless said otherwise. */
export function aPodSpec({ image = "nginx:1.25", command, container = {}, spec = {} }: PodOptions = {}) {
  const probed = !command && image.startsWith("nginx");
  const readinessProbe = { httpGet: { port: 80, path: "/" }, periodSeconds: 2 };
  return {
    containers: [
      { name: "main", image, ...(command && { command }), ...(probed && { readinessProbe }), ...container },
    ],
    ...spec,
  };
}

interface WorkloadOptions extends PodOptions {
  readonly name?: string;
  readonly replicas?: number;
  readonly rest?: object;
}

function workload(kind: string, options: WorkloadOptions, rest: object): NewObject {
  const { name = "web", replicas = 1 } = options;
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: { name, namespace: "shop" },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: aPodSpec(options) },
      ...rest,
      ...options.rest,
    },
  };
}

export const aDeployment = (options: WorkloadOptions = {}): NewObject => workload("Deployment", options, {});

export const aStatefulSet = (options: WorkloadOptions = {}): NewObject =>
  workload("StatefulSet", options, { serviceName: options.name ?? "web" });

export function aPod(options: PodOptions & { readonly name?: string } = {}): NewObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: options.name ?? "alone", namespace: "shop" },
    spec: aPodSpec(options),
    status: { phase: "Pending" },
  };
}

/** The workload with another container in its template. */
export function withContainer(object: KubeObject, change: object): KubeObject {
  const { template } = object.spec;
  const containers = [{ ...template.spec.containers[0], ...change }];
  return {
    ...object,
    spec: { ...object.spec, template: { ...template, spec: { ...template.spec, containers } } },
  };
}

/** The status of a pod's container `main`. */
export function mainOf(pod: KubeObject | undefined): KubeObject["status"] {
  return pod?.status?.containerStatuses?.find((each: { name: string }) => each.name === "main");
}
