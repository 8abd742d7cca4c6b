import type { KubeObject, Loose } from "@microremed/sim-objects";
import { age } from "../resource-type/age.ts";
import {
  ageColumn,
  integer,
  nameColumn,
  orNone,
  selectorText,
  text,
  wide,
} from "../resource-type/columns.ts";
import type { Printer } from "../resource-type/resource-type.ts";

const born = (object: KubeObject, now: number): string => age(object.metadata.creationTimestamp, now);

export const budgetPrinter: Printer = {
  columns: [
    nameColumn,
    text("Min Available"),
    text("Max Unavailable"),
    integer("Allowed Disruptions"),
    ageColumn,
  ],
  cells: (object, now) => [
    object.metadata.name,
    String(object.spec?.minAvailable ?? "N/A"),
    String(object.spec?.maxUnavailable ?? "N/A"),
    object.status?.disruptionsAllowed ?? 0,
    born(object, now),
  ],
};

function targets(hpa: KubeObject): string {
  const metrics: Loose[] = hpa.spec?.metrics ?? [];
  const shown = metrics.map((metric, index) => {
    const current = hpa.status?.currentMetrics?.[index]?.resource?.current;
    const target = metric.resource?.target ?? {};
    const isShare = target.averageUtilization !== undefined;
    const now = isShare ? current?.averageUtilization : current?.averageValue;
    const wanted = isShare ? `${target.averageUtilization}%` : target.averageValue;
    const value = now === undefined ? "<unknown>" : isShare ? `${now}%` : now;
    return `${metric.resource?.name ?? metric.type}: ${value}/${wanted}`;
  });
  return orNone(shown.join(", "));
}

export const autoscalerPrinter: Printer = {
  columns: [
    nameColumn,
    text("Reference"),
    text("Targets"),
    text("MinPods"),
    text("MaxPods"),
    integer("Replicas"),
    ageColumn,
  ],
  cells: (object, now) => [
    object.metadata.name,
    `${object.spec?.scaleTargetRef?.kind}/${object.spec?.scaleTargetRef?.name}`,
    targets(object),
    String(object.spec?.minReplicas ?? "<unset>"),
    String(object.spec?.maxReplicas ?? 0),
    object.status?.currentReplicas ?? 0,
    born(object, now),
  ],
};

export const ingressPrinter: Printer = {
  columns: [nameColumn, text("Class"), text("Hosts"), text("Address"), text("Ports"), ageColumn],
  cells(object, now) {
    const hosts = (object.spec?.rules ?? []).map((rule: Loose) => rule.host || "*");
    const addresses = (object.status?.loadBalancer?.ingress ?? []).map((at: Loose) => at.ip ?? at.hostname);
    return [
      object.metadata.name,
      orNone(object.spec?.ingressClassName),
      hosts.length > 0 ? hosts.join(",") : "*",
      addresses.join(","),
      object.spec?.tls?.length > 0 ? "80, 443" : "80",
      born(object, now),
    ];
  },
};

export const networkPolicyPrinter: Printer = {
  columns: [nameColumn, text("Pod-Selector"), ageColumn],
  cells: (object, now) => [object.metadata.name, selectorText(object.spec?.podSelector), born(object, now)],
};

export const endpointSlicePrinter: Printer = {
  columns: [nameColumn, text("AddressType"), text("Ports"), text("Endpoints"), ageColumn],
  cells(object, now) {
    const ports: Loose[] = (object["ports"] as Loose[] | undefined) ?? [];
    const endpoints: Loose[] = (object["endpoints"] as Loose[] | undefined) ?? [];
    const all = endpoints.flatMap((endpoint) => endpoint.addresses ?? []);
    const more = all.length - 3;
    const shown = all.slice(0, 3).join(",") + (more > 0 ? ` + ${more} more...` : "");
    return [
      object.metadata.name,
      String(object["addressType"] ?? ""),
      ports.length > 0 ? ports.map((port) => port.port ?? "*").join(",") : "<unset>",
      shown === "" ? "<unset>" : shown,
      born(object, now),
    ];
  },
};

export const rolePrinter: Printer = {
  columns: [nameColumn, { name: "Created At", type: "date" }],
  cells: (object) => [object.metadata.name, object.metadata.creationTimestamp],
};

function subjectNames(object: KubeObject, kind: string): string {
  const subjects: Loose[] = (object["subjects"] as Loose[] | undefined) ?? [];
  return subjects
    .filter((subject) => subject.kind === kind)
    .map((subject) => (kind === "ServiceAccount" ? `${subject.namespace}/${subject.name}` : subject.name))
    .join(", ");
}

export const bindingPrinter: Printer = {
  columns: [nameColumn, text("Role"), ageColumn, wide("Users"), wide("Groups"), wide("ServiceAccounts")],
  cells(object, now) {
    const role: Loose = object["roleRef"] ?? {};
    return [
      object.metadata.name,
      `${role.kind}/${role.name}`,
      born(object, now),
      subjectNames(object, "User"),
      subjectNames(object, "Group"),
      subjectNames(object, "ServiceAccount"),
    ];
  },
};

export const storageClassPrinter: Printer = {
  columns: [
    nameColumn,
    text("Provisioner"),
    text("ReclaimPolicy"),
    text("VolumeBindingMode"),
    text("AllowVolumeExpansion"),
    ageColumn,
  ],
  cells(object, now) {
    const isDefault = object.metadata.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true";
    return [
      isDefault ? `${object.metadata.name} (default)` : object.metadata.name,
      String(object["provisioner"] ?? ""),
      String(object["reclaimPolicy"] ?? "Delete"),
      String(object["volumeBindingMode"] ?? "Immediate"),
      String(object["allowVolumeExpansion"] ?? false),
      born(object, now),
    ];
  },
};

/** Approved, Denied or Pending, then whether there is a certificate. */
function requestState({ status }: KubeObject): string {
  const types: string[] = (status?.conditions ?? []).map((condition: { type: string }) => condition.type);
  const states = types.filter((type) => ["Approved", "Denied", "Failed"].includes(type));
  const all = [...(states.length > 0 ? states : ["Pending"]), ...(status?.certificate ? ["Issued"] : [])];
  return all.join(",");
}

export const signingRequestPrinter: Printer = {
  columns: [
    nameColumn,
    ageColumn,
    text("SignerName"),
    text("Requestor"),
    text("RequestedDuration"),
    text("Condition"),
  ],
  cells: (object, now) => [
    object.metadata.name,
    born(object, now),
    object.spec?.signerName ?? "",
    object.spec?.username ?? "",
    orNone(object.spec?.expirationSeconds && `${object.spec.expirationSeconds}s`),
    requestState(object),
  ],
};

export const leasePrinter: Printer = {
  columns: [nameColumn, text("Holder"), ageColumn],
  cells: (object, now) => [object.metadata.name, object.spec?.holderIdentity ?? "", born(object, now)],
};

export const priorityClassPrinter: Printer = {
  columns: [nameColumn, integer("Value"), text("Global-Default"), ageColumn, text("PreemptionPolicy")],
  cells: (object, now) => [
    object.metadata.name,
    Number(object["value"] ?? 0),
    String(object["globalDefault"] ?? false),
    born(object, now),
    String(object["preemptionPolicy"] ?? "PreemptLowerPriority"),
  ],
};

export const revisionPrinter: Printer = {
  columns: [nameColumn, text("Controller"), integer("Revision"), ageColumn],
  cells(object, now) {
    const owner = object.metadata.ownerReferences?.find((reference) => reference.controller);
    const group = owner?.apiVersion.includes("/") ? `.${owner.apiVersion.split("/")[0]}` : "";
    return [
      object.metadata.name,
      owner ? `${owner.kind.toLowerCase()}${group}/${owner.name}` : "<none>",
      Number(object["revision"] ?? 0),
      born(object, now),
    ];
  },
};

export const definitionPrinter: Printer = {
  columns: [nameColumn, { name: "Created At", type: "date" }],
  cells: ({ metadata }) => [metadata.name, metadata.creationTimestamp],
};
