import type { Loose, StatusCause } from "@microremed/sim-objects";
import {
  duplicate,
  forbiddenField,
  invalidLiteral,
  invalidValue,
  notFoundValue,
  notSupported,
  required,
} from "../fields/field-errors.ts";
import { validateResources } from "../fields/resources.ts";
import { dnsLabel, dnsSubdomain, validateLabels } from "./names.ts";

function portNumber(field: string, value: unknown): StatusCause[] {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1 && number <= 65_535) return [];
  return [invalidValue(field, value, "must be between 1 and 65535, inclusive")];
}

function validatePorts(field: string, ports: readonly Loose[]): StatusCause[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = `${field}[${index}]`;
    const causes =
      port.containerPort === undefined
        ? [required(`${at}.containerPort`)]
        : portNumber(`${at}.containerPort`, port.containerPort);
    if (!["TCP", "UDP", "SCTP"].includes(port.protocol))
      causes.push(notSupported(`${at}.protocol`, port.protocol, ["SCTP", "TCP", "UDP"]));
    if (port.name) {
      if (!/^(?=.{1,15}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(port.name))
        causes.push(
          invalidValue(
            `${at}.name`,
            port.name,
            port.name.length > 15
              ? "must be no more than 15 characters"
              : "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)",
          ),
        );
      if (names.has(port.name)) causes.push(duplicate(`${at}.name`, port.name));
      names.add(port.name);
    }
    return causes;
  });
}

function validateEnv(field: string, env: readonly Loose[]): StatusCause[] {
  return env.flatMap((variable, index) => {
    const at = `${field}[${index}]`;
    if (!variable.name) return [required(`${at}.name`)];
    if (variable.value && variable.valueFrom) {
      return [invalidValue(`${at}.valueFrom`, "", "may not be specified when `value` is not empty")];
    }
    return [];
  });
}

const handlers = ["exec", "httpGet", "tcpSocket", "grpc", "sleep"];

function validateHandler(field: string, handler: Loose): StatusCause[] {
  const given = handlers.filter((name) => handler[name]);
  if (given.length === 0) return [required(field, "must specify a handler type")];
  if (given.length > 1)
    return [forbiddenField(`${field}.${given[1]}`, "may not specify more than 1 handler type")];
  if (handler.exec && !handler.exec.command?.length) return [required(`${field}.exec.command`)];
  for (const name of ["httpGet", "tcpSocket", "grpc"]) {
    const port = handler[name]?.port;
    if (!handler[name]) continue;
    if (port === undefined) return [required(`${field}.${name}.port`)];
    if (typeof port === "number") return portNumber(`${field}.${name}.port`, port);
  }
  return [];
}

function validateProbe(field: string, probe: Loose, successIsOne: boolean): StatusCause[] {
  if (!probe) return [];
  const causes = validateHandler(field, probe);
  for (const name of [
    "initialDelaySeconds",
    "timeoutSeconds",
    "periodSeconds",
    "successThreshold",
    "failureThreshold",
  ]) {
    if (probe[name] < 0)
      causes.push(invalidValue(`${field}.${name}`, probe[name], "must be greater than or equal to 0"));
  }
  if (successIsOne && probe.successThreshold !== undefined && probe.successThreshold !== 1) {
    causes.push(invalidValue(`${field}.successThreshold`, probe.successThreshold, "must be 1"));
  }
  return causes;
}

function validateMounts(
  field: string,
  mounts: readonly Loose[],
  volumes: ReadonlySet<string>,
): StatusCause[] {
  const paths = new Set<string>();
  return mounts.flatMap((mount, index) => {
    const at = `${field}[${index}]`;
    const causes: StatusCause[] = [];
    if (!mount.name) causes.push(required(`${at}.name`));
    else if (!volumes.has(mount.name)) causes.push(notFoundValue(`${at}.name`, mount.name));
    if (!mount.mountPath) causes.push(required(`${at}.mountPath`));
    else if (paths.has(mount.mountPath))
      causes.push(invalidValue(`${at}.mountPath`, mount.mountPath, "must be unique"));
    paths.add(mount.mountPath);
    return causes;
  });
}

function validateContainer(field: string, container: Loose, volumes: ReadonlySet<string>): StatusCause[] {
  const causes: StatusCause[] = [];
  if (!container.name) causes.push(required(`${field}.name`));
  else causes.push(...dnsLabel(`${field}.name`, container.name));
  if (!container.image) causes.push(required(`${field}.image`));
  else if (container.image !== container.image.trim()) {
    causes.push(
      invalidValue(`${field}.image`, container.image, "must not have leading or trailing whitespace"),
    );
  }
  if (!["Always", "IfNotPresent", "Never"].includes(container.imagePullPolicy)) {
    causes.push(
      notSupported(`${field}.imagePullPolicy`, container.imagePullPolicy, [
        "Always",
        "IfNotPresent",
        "Never",
      ]),
    );
  }
  for (const [hook, handler] of Object.entries(container.lifecycle ?? {})) {
    if (handler && hook !== "stopSignal")
      causes.push(...validateHandler(`${field}.lifecycle.${hook}`, handler));
  }
  for (const id of ["runAsUser", "runAsGroup"])
    causes.push(...validateId(`${field}.securityContext.${id}`, container.securityContext?.[id]));
  return [
    ...causes,
    ...validatePorts(`${field}.ports`, container.ports ?? []),
    ...validateEnv(`${field}.env`, container.env ?? []),
    ...validateMounts(`${field}.volumeMounts`, container.volumeMounts ?? [], volumes),
    ...validateProbe(`${field}.livenessProbe`, container.livenessProbe, true),
    ...validateProbe(`${field}.readinessProbe`, container.readinessProbe, false),
    ...validateProbe(`${field}.startupProbe`, container.startupProbe, true),
    ...validateResources(`${field}.resources`, container.resources),
  ];
}

function validateVolumes(field: string, volumes: readonly Loose[]): StatusCause[] {
  const names = new Set<string>();
  return volumes.flatMap((volume, index) => {
    const at = `${field}[${index}]`;
    if (!volume.name) return [required(`${at}.name`)];
    const causes = dnsLabel(`${at}.name`, volume.name);
    if (names.has(volume.name)) causes.push(duplicate(`${at}.name`, volume.name));
    names.add(volume.name);
    const sources = Object.keys(volume).filter((key) => key !== "name");
    if (sources.length > 1)
      causes.push(forbiddenField(`${at}.${sources[1]}`, "may not specify more than 1 volume type"));
    if (volume.configMap && !volume.configMap.name) causes.push(required(`${at}.configMap.name`));
    if (volume.secret && !volume.secret.secretName) causes.push(required(`${at}.secret.secretName`));
    if (volume.persistentVolumeClaim && !volume.persistentVolumeClaim.claimName) {
      causes.push(required(`${at}.persistentVolumeClaim.claimName`));
    }
    return causes;
  });
}

const taintEffects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
/** The largest number of a user or a group. */
const mostId = 2 ** 31 - 1;

function validateId(field: string, id: unknown): StatusCause[] {
  if (id === undefined || (typeof id === "number" && id >= 0 && id <= mostId)) return [];
  return [invalidValue(field, id, `must be between 0 and ${mostId}, inclusive`)];
}

export interface PodSpecRules {
  /** Restart policies that the owner allows. */
  readonly restartPolicies: readonly string[];
  /** Volumes that the owner adds to the pod's own: a StatefulSet's claims. */
  readonly claims?: readonly string[];
}

const anyPolicy = ["Always", "OnFailure", "Never"];

/** The rules of a pod without an owner: every restart policy, no volumes but its own. */
export const podRules: PodSpecRules = { restartPolicies: anyPolicy };

/** The spec of a pod or of a workload's template, after defaulting. `field`: its path, e.g. `spec.template.spec`. */
export function validatePodSpec(field: string, spec: Loose, rules: PodSpecRules): StatusCause[] {
  const own: string[] = (spec?.volumes ?? []).map((volume: Loose) => volume.name);
  const volumes = new Set([...own, ...(rules.claims ?? [])]);
  const containers: Loose[] = spec?.containers ?? [];
  const inits: Loose[] = spec?.initContainers ?? [];
  if (containers.length === 0) return [required(`${field}.containers`)];
  const causes = [
    ...validateVolumes(`${field}.volumes`, spec.volumes ?? []),
    ...containers.flatMap((container, index) =>
      validateContainer(`${field}.containers[${index}]`, container, volumes),
    ),
    ...inits.flatMap((container, index) =>
      validateContainer(`${field}.initContainers[${index}]`, container, volumes),
    ),
  ];
  for (const [index, { operator, value, effect }] of (spec.tolerations ?? []).entries()) {
    if (effect && !taintEffects.includes(effect))
      causes.push(notSupported(`${field}.tolerations[${index}].effect`, effect, taintEffects));
    if (operator !== "Exists" || !value) continue;
    const literal = `core.Toleration{Operator:"Exists", Value:${JSON.stringify(value)}}`;
    const why = "value must be empty when `operator` is 'Exists'";
    causes.push(invalidLiteral(`${field}.tolerations[${index}].operator`, literal, why));
  }
  const names = new Set<string>();
  for (const [list, items] of [
    ["initContainers", inits],
    ["containers", containers],
  ] as const) {
    for (const [index, container] of items.entries()) {
      if (names.has(container.name))
        causes.push(duplicate(`${field}.${list}[${index}].name`, container.name));
      names.add(container.name);
    }
  }
  const { restartPolicy } = spec;
  if (!rules.restartPolicies.includes(restartPolicy)) {
    causes.push(notSupported(`${field}.restartPolicy`, restartPolicy, rules.restartPolicies));
  }
  if (!["ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"].includes(spec.dnsPolicy)) {
    causes.push(
      notSupported(`${field}.dnsPolicy`, spec.dnsPolicy, [
        "ClusterFirst",
        "ClusterFirstWithHostNet",
        "Default",
        "None",
      ]),
    );
  }
  if (spec.dnsPolicy === "None" && (spec.dnsConfig?.nameservers ?? []).length === 0) {
    const why = "must provide at least one DNS nameserver when `dnsPolicy` is None";
    causes.push(required(`${field}.dnsConfig.nameservers`, why));
  }
  if (spec.serviceAccountName)
    causes.push(...dnsSubdomain(`${field}.serviceAccountName`, spec.serviceAccountName));
  for (const id of ["runAsUser", "runAsGroup", "fsGroup"])
    causes.push(...validateId(`${field}.securityContext.${id}`, spec.securityContext?.[id]));
  return [...causes, ...validateLabels(`${field}.nodeSelector`, spec.nodeSelector)];
}
