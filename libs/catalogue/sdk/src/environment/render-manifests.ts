import type {
  ContainerSpec,
  Environment,
  ProbeSpec,
  ServiceSpec,
  VolumeSpec,
  WorkloadSpec,
} from "./format.ts";
import { podLabelsOf, selectorOf, workloadsBehind } from "./selectors.ts";

/** A Kubernetes manifest, ready to be applied as JSON. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

type Fields = Record<string, unknown>;

/**
 * Everything that the system needs in a namespace, in the order in which it must be applied: config maps, secrets,
 * accounts, services, stateful sets, deployments. Nothing in it is fixed to a namespace, node or host, so several copies
 * live side by side in one cluster. The namespace itself is not among them.
 */
export function renderManifests(environment: Environment, options: { namespace: string }): Manifest[] {
  const manifest = (
    apiVersion: string,
    kind: string,
    name: string,
    fields: Fields,
    workload?: string,
  ): Manifest => ({
    apiVersion,
    kind,
    metadata: { name, namespace: options.namespace, labels: labels(environment, workload) },
    ...fields,
  });
  const workloads = Object.entries(environment.workloads);
  const ofKind = (kind: WorkloadSpec["kind"]): Manifest[] =>
    workloads
      .filter(([, workload]) => workload.kind === kind)
      .map(([name, workload]) =>
        manifest("apps/v1", kind, name, { spec: workloadSpec(environment, name, workload) }, name),
      );
  return [
    ...Object.entries(environment.configMaps).map(([name, data]) =>
      manifest("v1", "ConfigMap", name, { data }),
    ),
    ...Object.entries(environment.secrets).map(([name, values]) =>
      manifest("v1", "Secret", name, { type: "Opaque", data: encoded(values) }),
    ),
    ...workloads
      .filter(([, workload]) => workload.permissions.length > 0)
      .flatMap(([name, workload]) => account(manifest, name, options.namespace, workload)),
    ...Object.entries(environment.services).map(([name, service]) =>
      manifest("v1", "Service", name, { spec: serviceSpec(service) }, workloadsBehind(environment, name)[0]),
    ),
    ...ofKind("StatefulSet"),
    ...ofKind("Deployment"),
  ];
}

function encoded(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Buffer.from(value, "utf8").toString("base64")]),
  );
}

/** An object's own labels: the selector of the workload that it belongs to, and the system. */
function labels(environment: Environment, name: string | undefined): Record<string, string> {
  const workload = name === undefined ? undefined : environment.workloads[name];
  const own = name !== undefined && workload ? selectorOf(name, workload) : {};
  return { ...own, "app.kubernetes.io/part-of": environment.name };
}

function account(
  manifest: (apiVersion: string, kind: string, name: string, fields: Fields, workload?: string) => Manifest,
  name: string,
  namespace: string,
  workload: WorkloadSpec,
): Manifest[] {
  const rules = workload.permissions.map(({ resources, verbs }) => ({ apiGroups: [""], resources, verbs }));
  const rbac = "rbac.authorization.k8s.io";
  return [
    manifest("v1", "ServiceAccount", name, {}, name),
    manifest(`${rbac}/v1`, "Role", name, { rules }, name),
    manifest(
      `${rbac}/v1`,
      "RoleBinding",
      name,
      {
        roleRef: { apiGroup: rbac, kind: "Role", name },
        subjects: [{ kind: "ServiceAccount", name, namespace }],
      },
      name,
    ),
  ];
}

function serviceSpec(service: ServiceSpec): Fields {
  return {
    type: service.type,
    ...(service.headless && { clusterIP: "None" }),
    ...(service.publishNotReadyAddresses && { publishNotReadyAddresses: true }),
    selector: service.selector,
    ports: service.ports.map((port) => ({ ...port, protocol: "TCP" })),
  };
}

function workloadSpec(environment: Environment, name: string, workload: WorkloadSpec): Fields {
  const podLabels = podLabelsOf(environment, name, workload);
  const claims = Object.entries(workload.volumes).filter(([, volume]) => volume.type === "claim");
  return {
    ...(workload.kind === "StatefulSet" && { serviceName: workload.serviceName ?? name }),
    replicas: workload.replicas,
    selector: { matchLabels: selectorOf(name, workload) },
    template: {
      metadata: {
        labels: podLabels,
        ...(Object.keys(workload.annotations).length > 0 && { annotations: workload.annotations }),
      },
      spec: podSpec(name, workload),
    },
    ...(claims.length > 0 && {
      volumeClaimTemplates: claims.map(([volume, claim]) => claimTemplate(volume, claim)),
    }),
  };
}

function podSpec(name: string, workload: WorkloadSpec): Fields {
  const volumes = Object.entries(workload.volumes).filter(([, volume]) => volume.type !== "claim");
  return {
    ...(workload.permissions.length > 0 && { serviceAccountName: name }),
    terminationGracePeriodSeconds: workload.terminationGracePeriodSeconds,
    ...(workload.initContainers.length > 0 && { initContainers: workload.initContainers.map(container) }),
    containers: workload.containers.map(container),
    ...(volumes.length > 0 && {
      volumes: volumes.map(([volume, spec]) => ({ name: volume, ...source(spec) })),
    }),
  };
}

function source(volume: VolumeSpec): Fields {
  return volume.type === "configMap" ? { configMap: { name: volume.name } } : { emptyDir: {} };
}

function claimTemplate(name: string, volume: VolumeSpec): Fields {
  if (volume.type !== "claim") return {};
  return {
    metadata: { name },
    spec: { accessModes: [volume.accessMode], resources: { requests: { storage: volume.size } } },
  };
}

function container(spec: ContainerSpec): Fields {
  const env = Object.entries(spec.env).map(([name, value]) => environmentVariable(name, value));
  const mounts = Object.entries(spec.volumeMounts).map(([mountPath, name]) => ({ name, mountPath }));
  return {
    name: spec.name,
    image: spec.image,
    imagePullPolicy: "IfNotPresent",
    ...(spec.command && { command: spec.command }),
    ...(spec.args && { args: spec.args }),
    ...(spec.ports.length > 0 && { ports: spec.ports.map((port) => ({ ...port, protocol: "TCP" })) }),
    ...(env.length > 0 && { env }),
    ...(spec.envFrom.length > 0 && {
      envFrom: spec.envFrom.map((from) =>
        "secret" in from ? { secretRef: { name: from.secret } } : { configMapRef: { name: from.configMap } },
      ),
    }),
    resources: spec.resources,
    ...(mounts.length > 0 && { volumeMounts: mounts }),
    ...(spec.readinessProbe && { readinessProbe: probe(spec.readinessProbe) }),
    ...(spec.livenessProbe && { livenessProbe: probe(spec.livenessProbe) }),
    ...(spec.postStart && { lifecycle: { postStart: { exec: { command: spec.postStart } } } }),
    ...(spec.capabilities.length > 0 && { securityContext: { capabilities: { add: spec.capabilities } } }),
  };
}

function environmentVariable(name: string, value: ContainerSpec["env"][string]): Fields {
  if (typeof value === "string") return { name, value };
  if ("fieldRef" in value) return { name, valueFrom: { fieldRef: { fieldPath: value.fieldRef } } };
  return { name, valueFrom: value };
}

function probe(spec: ProbeSpec): Fields {
  const { initialDelaySeconds, periodSeconds, timeoutSeconds, successThreshold, failureThreshold } = spec;
  return {
    ...handler(spec),
    initialDelaySeconds,
    periodSeconds,
    timeoutSeconds,
    successThreshold,
    failureThreshold,
  };
}

function handler(spec: ProbeSpec): Fields {
  if (spec.type === "exec") return { exec: { command: spec.command } };
  if (spec.type === "tcp") return { tcpSocket: { port: spec.port } };
  const headers = Object.entries(spec.headers).map(([name, value]) => ({ name, value }));
  return {
    httpGet: {
      path: spec.path,
      port: spec.port,
      scheme: "HTTP",
      ...(headers.length > 0 && { httpHeaders: headers }),
    },
  };
}
