import type { KubeObject, Loose } from "@microremed/sim-objects";
import { age } from "../resource-type/age.ts";
import { ageColumn, integer, labelsText, nameColumn, orNone, text, wide } from "../resource-type/columns.ts";
import type { Printer } from "../resource-type/resource-type.ts";
import { summarizePod } from "./pod-status.ts";

const born = (object: KubeObject, now: number): string => age(object.metadata.creationTimestamp, now);

export const podPrinter: Printer = {
  columns: [
    nameColumn,
    text("Ready"),
    text("Status"),
    text("Restarts"),
    ageColumn,
    wide("IP"),
    wide("Node"),
    wide("Nominated Node"),
    wide("Readiness Gates"),
  ],
  cells(pod, now) {
    const { ready, total, reason, restarts, lastRestart } = summarizePod(pod);
    const gates: Loose[] = pod.spec?.readinessGates ?? [];
    const passed = gates.filter((gate) =>
      pod.status?.conditions?.some((c: Loose) => c.type === gate.conditionType && c.status === "True"),
    );
    return [
      pod.metadata.name,
      `${ready}/${total}`,
      reason,
      restarts > 0 && lastRestart ? `${restarts} (${age(lastRestart, now)} ago)` : String(restarts),
      born(pod, now),
      orNone(pod.status?.podIP),
      orNone(pod.spec?.nodeName),
      orNone(pod.status?.nominatedNodeName),
      gates.length > 0 ? `${passed.length}/${gates.length}` : "<none>",
    ];
  },
};

export const namespacePrinter: Printer = {
  columns: [nameColumn, text("Status"), ageColumn],
  cells: (object, now) => [object.metadata.name, object.status?.phase ?? "", born(object, now)],
};

function externalIps(service: KubeObject): string {
  const { type, externalIPs = [], externalName } = service.spec ?? {};
  if (type === "ExternalName") return externalName;
  const balanced: string[] = (service.status?.loadBalancer?.ingress ?? []).map(
    (ingress: Loose) => ingress.ip ?? ingress.hostname,
  );
  const all = [...(type === "LoadBalancer" ? balanced : []), ...externalIPs];
  if (all.length > 0) return all.join(",");
  return type === "LoadBalancer" ? "<pending>" : "<none>";
}

export const servicePrinter: Printer = {
  columns: [
    nameColumn,
    text("Type"),
    text("Cluster-IP"),
    text("External-IP"),
    text("Port(s)"),
    ageColumn,
    wide("Selector"),
  ],
  cells(service, now) {
    const ports: Loose[] = service.spec?.ports ?? [];
    const shown = ports.map(({ port, nodePort, protocol = "TCP" }) =>
      nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
    );
    return [
      service.metadata.name,
      service.spec?.type ?? "ClusterIP",
      orNone(service.spec?.clusterIP),
      externalIps(service),
      orNone(shown.join(",")),
      born(service, now),
      labelsText(service.spec?.selector),
    ];
  },
};

/** kubectl prints three addresses, then `+ N more...`. */
const shownEndpoints = 3;

function endpointsText(object: KubeObject): string {
  const subsets: Loose[] = (object["subsets"] as Loose[] | undefined) ?? [];
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    addresses.flatMap(({ ip }: Loose) =>
      ports.length > 0 ? ports.map(({ port }: Loose) => `${ip}:${port}`) : [ip],
    ),
  );
  if (all.length === 0) return "<none>";
  const more = all.length - shownEndpoints;
  return all.slice(0, shownEndpoints).join(",") + (more > 0 ? ` + ${more} more...` : "");
}

export const endpointsPrinter: Printer = {
  columns: [nameColumn, text("Endpoints"), ageColumn],
  cells: (object, now) => [object.metadata.name, endpointsText(object), born(object, now)],
};

const countKeys = (...maps: unknown[]): number =>
  maps.reduce((sum: number, map) => sum + Object.keys(map ?? {}).length, 0);

export const configMapPrinter: Printer = {
  columns: [nameColumn, text("Data"), ageColumn],
  cells: (object, now) => [
    object.metadata.name,
    countKeys(object["data"], object["binaryData"]),
    born(object, now),
  ],
};

export const secretPrinter: Printer = {
  columns: [nameColumn, text("Type"), integer("Data"), ageColumn],
  cells: (object, now) => [
    object.metadata.name,
    String(object["type"] ?? "Opaque"),
    countKeys(object["data"]),
    born(object, now),
  ],
};

export const serviceAccountPrinter: Printer = {
  columns: [nameColumn, integer("Secrets"), ageColumn],
  cells: (object, now) => [
    object.metadata.name,
    ((object["secrets"] as Loose[] | undefined) ?? []).length,
    born(object, now),
  ],
};

export const eventPrinter: Printer = {
  columns: [
    text("Last Seen"),
    text("Type"),
    text("Reason"),
    text("Object"),
    wide("Subobject"),
    wide("Source"),
    text("Message"),
    wide("First Seen"),
    wide("Count"),
    wide("Name"),
  ],
  cells(event, now) {
    const about: Loose = event["involvedObject"] ?? {};
    const source: Loose = event["source"] ?? {};
    const series: Loose = event["series"];
    const first = event["firstTimestamp"] ?? event["eventTime"] ?? event.metadata.creationTimestamp;
    const last = series?.lastObservedTime ?? event["lastTimestamp"] ?? first;
    return [
      age(last as string, now),
      String(event["type"] ?? ""),
      String(event["reason"] ?? ""),
      `${String(about.kind ?? "").toLowerCase()}/${about.name ?? ""}`,
      String(about.fieldPath ?? ""),
      [source.component, source.host].filter(Boolean).join(", "),
      String(event["message"] ?? "").trim(),
      age(first as string, now),
      String(series?.count ?? event["count"] ?? 1),
      event.metadata.name,
    ];
  },
};

const rolePrefix = "node-role.kubernetes.io/";

function nodeStatus(node: KubeObject): string {
  const ready = (node.status?.conditions ?? []).find((condition: Loose) => condition.type === "Ready");
  const state = ready === undefined ? "Unknown" : ready.status === "True" ? "Ready" : "NotReady";
  return node.spec?.unschedulable ? `${state},SchedulingDisabled` : state;
}

export const nodePrinter: Printer = {
  columns: [
    nameColumn,
    text("Status"),
    text("Roles"),
    ageColumn,
    text("Version"),
    wide("Internal-IP"),
    wide("External-IP"),
    wide("OS-Image"),
    wide("Kernel-Version"),
    wide("Container-Runtime"),
  ],
  cells(node, now) {
    const roles = Object.keys(node.metadata.labels ?? {})
      .filter((label) => label.startsWith(rolePrefix))
      .map((label) => label.slice(rolePrefix.length))
      .sort();
    const address = (type: string): string =>
      orNone((node.status?.addresses ?? []).find((entry: Loose) => entry.type === type)?.address);
    const info = node.status?.nodeInfo ?? {};
    return [
      node.metadata.name,
      nodeStatus(node),
      orNone(roles.join(",")),
      born(node, now),
      info.kubeletVersion ?? "",
      address("InternalIP"),
      address("ExternalIP"),
      info.osImage ?? "<unknown>",
      info.kernelVersion ?? "<unknown>",
      info.containerRuntimeVersion ?? "<unknown>",
    ];
  },
};
