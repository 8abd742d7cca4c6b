import {
  isRecord,
  jsonEqual,
  type KubeObject,
  type Loose,
  type NewObject,
  parseQuantity,
  type StatusCause,
} from "@microremed/sim-objects";
import {
  duplicate,
  forbiddenField,
  invalidLiteral,
  invalidValue,
  notSupported,
  required,
} from "../fields/field-errors.ts";
import { validateLabels } from "./names.ts";
import { podRules, validatePodSpec } from "./pod-spec.ts";

const mutablePodFields = new Set([
  "schedulingGates",
  "activeDeadlineSeconds",
  "tolerations",
  "terminationGracePeriodSeconds",
]);

function withoutImages(spec: Loose): Loose {
  const strip = (list: Loose): Loose => list?.map(({ image: _image, ...container }: Loose) => container);
  return {
    ...Object.fromEntries(Object.entries(spec ?? {}).filter(([key]) => !mutablePodFields.has(key))),
    containers: strip(spec?.containers),
    initContainers: strip(spec?.initContainers),
    ephemeralContainers: undefined,
  };
}

export function validatePod(object: NewObject, old: KubeObject | undefined): StatusCause[] {
  const causes = validatePodSpec("spec", object.spec, podRules);
  if (old && !jsonEqual(withoutImages(old.spec), withoutImages(object.spec))) {
    causes.push(
      forbiddenField(
        "spec",
        "pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
      ),
    );
  }
  return causes;
}

const serviceTypes = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];

export function validateService(object: NewObject): StatusCause[] {
  const { type, ports = [], selector, externalName, clusterIP } = object.spec ?? {};
  const causes: StatusCause[] = validateLabels("spec.selector", selector);
  if (!serviceTypes.includes(type)) causes.push(notSupported("spec.type", type, serviceTypes));
  if (type === "ExternalName") {
    return externalName ? causes : [...causes, required("spec.externalName")];
  }
  if (ports.length === 0 && clusterIP !== "None") causes.push(required("spec.ports"));
  const names = new Set<string>();
  const numbers = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const number = `${port.protocol ?? "TCP"}/${port.port}`;
    if (numbers.has(number)) {
      const literal = `core.ServicePort{Name:"", Protocol:"${port.protocol ?? "TCP"}", Port:${port.port}}`;
      causes.push({
        reason: "FieldValueDuplicate",
        message: `Duplicate value: ${literal}`,
        field: `spec.ports[${index}]`,
      });
    }
    numbers.add(number);
    const at = `spec.ports[${index}]`;
    if (!port.name && ports.length > 1) causes.push(required(`${at}.name`));
    if (port.name && names.has(port.name)) causes.push(duplicate(`${at}.name`, port.name));
    names.add(port.name);
    if (port.port === undefined) causes.push(required(`${at}.port`));
    else if (!(port.port >= 1 && port.port <= 65_535)) {
      causes.push(invalidValue(`${at}.port`, port.port, "must be between 1 and 65535, inclusive"));
    }
    if (port.nodePort && (port.nodePort < 30_000 || port.nodePort > 32_767)) {
      causes.push(
        invalidValue(
          `${at}.nodePort`,
          port.nodePort,
          "provided port is not in the valid range. The range of valid ports is 30000-32767",
        ),
      );
    }
  }
  return causes;
}

const dataKey = /^[-._a-zA-Z0-9]+$/;

function validateData(object: NewObject): StatusCause[] {
  const maps = ["data", "binaryData"].map((name) => [name, object[name]] as const);
  return maps.flatMap(([name, map]) =>
    Object.keys(isRecord(map) ? map : {})
      .filter((key) => !dataKey.test(key))
      .map((key) =>
        invalidValue(
          `${name}[${key}]`,
          key,
          "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
        ),
      ),
  );
}

/** Keys are not counted. */
const maxDataBytes = 1024 * 1024;

function validateSize(object: NewObject): StatusCause[] {
  const values = ["data", "binaryData"].flatMap((name) => Object.values(object[name] ?? {}));
  const bytes = values.reduce<number>((sum, value) => sum + Buffer.byteLength(String(value)), 0);
  if (bytes <= maxDataBytes) return [];
  return [
    {
      reason: "FieldValueTooLong",
      message: `Too long: may not be more than ${maxDataBytes} bytes`,
      field: "",
    },
  ];
}

export function validateConfigMap(object: NewObject, old: KubeObject | undefined): StatusCause[] {
  const causes = [...validateData(object), ...validateSize(object)];
  if (old?.["immutable"] === true && !jsonEqual(old["data"], object["data"])) {
    causes.push(forbiddenField("data", "field is immutable when `immutable` is set"));
  }
  return causes;
}

/** What a Secret of a type must hold. */
const neededKeys: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
};

const accountOf = "kubernetes.io/service-account.name";

export function validateSecret(object: NewObject, old: KubeObject | undefined): StatusCause[] {
  const causes = validateConfigMap(object, old);
  const needed = neededKeys[String(object["type"])] ?? [];
  const data: Loose = object["data"] ?? {};
  for (const key of needed) if (!(key in data)) causes.push(required(`data[${key}]`));
  if (object["type"] === "kubernetes.io/service-account-token" && !object.metadata.annotations?.[accountOf])
    causes.push(required(`metadata.annotations[${accountOf}]`));
  if (old && old["type"] !== object["type"]) {
    causes.push(invalidValue("type", object["type"], "field is immutable"));
  }
  return causes;
}

export function validateClaim(object: NewObject, old: KubeObject | undefined): StatusCause[] {
  const { accessModes = [], resources } = object.spec ?? {};
  const causes: StatusCause[] = [];
  if (accessModes.length === 0)
    causes.push(required("spec.accessModes", "at least 1 access mode is required"));
  const storage = resources?.requests?.storage;
  if (storage === undefined) causes.push(required("spec.resources[storage]"));
  else if (!parseQuantity(storage))
    causes.push(invalidValue("spec.resources[storage]", storage, "must be greater than zero"));
  else if ((parseQuantity(storage) ?? 0) < (parseQuantity(old?.status?.capacity?.storage ?? "") ?? 0))
    causes.push(
      forbiddenField("spec.resources.requests.storage", "field can not be less than status.capacity"),
    );
  const fixed = ({
    resources: _size,
    volumeName: _volume,
    storageClassName: _class,
    ...spec
  }: Loose): Loose => spec;
  if (old && !jsonEqual(fixed(old.spec), fixed(object.spec))) {
    causes.push(
      forbiddenField(
        "spec",
        "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims",
      ),
    );
  }
  return causes;
}

export function validateBinding(object: NewObject, old: KubeObject | undefined): StatusCause[] {
  const role: Loose = object["roleRef"];
  const causes: StatusCause[] = [];
  const kinds = ["Role", "ClusterRole"];
  if (!role?.name) causes.push(required("roleRef.name"));
  if (!kinds.includes(role?.kind)) causes.push(notSupported("roleRef.kind", role?.kind ?? "", kinds));
  if (old && !jsonEqual(old["roleRef"], role)) {
    const literal = `rbac.RoleRef{APIGroup:"${role?.apiGroup}", Kind:"${role?.kind}", Name:"${role?.name}"}`;
    causes.push(invalidLiteral("roleRef", literal, "cannot change roleRef"));
  }
  return causes;
}

export function validateAutoscaler(object: NewObject): StatusCause[] {
  const { minReplicas, maxReplicas, scaleTargetRef } = object.spec ?? {};
  const causes: StatusCause[] = [];
  if (!scaleTargetRef?.name) causes.push(required("spec.scaleTargetRef.name"));
  if (!scaleTargetRef?.kind) causes.push(required("spec.scaleTargetRef.kind"));
  if (minReplicas < 1)
    causes.push(invalidValue("spec.minReplicas", minReplicas, "must be greater than or equal to 1"));
  if (!(maxReplicas >= 1))
    causes.push(invalidValue("spec.maxReplicas", maxReplicas ?? 0, "must be greater than 0"));
  else if (maxReplicas < minReplicas) {
    causes.push(
      invalidValue("spec.maxReplicas", maxReplicas, "must be greater than or equal to `minReplicas`"),
    );
  }
  return causes;
}

export function validateRole(object: NewObject): StatusCause[] {
  const list: Loose = object["rules"];
  const rules: readonly Loose[] = list ?? [];
  return rules.flatMap((rule, index) => {
    const at = `rules[${index}]`;
    if (!rule?.verbs?.length) return [required(`${at}.verbs`, "verbs must contain at least one value")];
    if (rule.nonResourceURLs?.length > 0) return [];
    return [
      ...(rule.apiGroups?.length > 0
        ? []
        : [required(`${at}.apiGroups`, "resource rules must supply at least one api group")]),
      ...(rule.resources?.length > 0
        ? []
        : [required(`${at}.resources`, "resource rules must supply at least one resource")]),
    ];
  });
}

export function validateBudget(object: NewObject): StatusCause[] {
  const { minAvailable, maxUnavailable } = object.spec ?? {};
  if (minAvailable === undefined || maxUnavailable === undefined) return [];
  return [
    invalidLiteral(
      "spec",
      "policy.PodDisruptionBudgetSpec{...}",
      "minAvailable and maxUnavailable cannot be both set",
    ),
  ];
}

export function validateIngress(object: NewObject): StatusCause[] {
  const rules: readonly Loose[] = object.spec?.rules ?? [];
  return rules.flatMap((rule, index) =>
    (rule?.http?.paths ?? []).flatMap((path: Loose, at: number) =>
      path?.pathType
        ? []
        : [required(`spec.rules[${index}].http.paths[${at}].pathType`, "pathType must be specified")],
    ),
  );
}
