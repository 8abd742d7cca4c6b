import { badRequest } from "@microremed/sim-objects";
import type { ResourceType } from "../resource-type/resource-type.ts";

const about = (field: string): string[] =>
  ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"].map(
    (part) => `${field}.${part}`,
  );

/** What may be selected by besides name and namespace. */
const fields: Readonly<Record<string, readonly string[]>> = {
  pods: [
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.hostNetwork",
    "status.phase",
    "status.podIP",
    "status.podIPs",
    "status.nominatedNodeName",
  ],
  events: [
    ...about("involvedObject"),
    ...about("regarding"),
    "reason",
    "reportingComponent",
    "reportingController",
    "source",
    "type",
  ],
  secrets: ["type"],
  services: ["spec.clusterIP", "spec.type"],
  namespaces: ["status.phase"],
  nodes: ["spec.unschedulable"],
  replicasets: ["status.replicas"],
  replicationcontrollers: ["status.replicas"],
  jobs: ["status.successful"],
};

/** Throws 400 for a field selector that names a field that the kind can't be selected by. */
export function requireFields(type: ResourceType, selector: string): void {
  const own = fields[type.resource] ?? [];
  for (const term of selector.split(",")) {
    const field = term.split(/[=!]/)[0]?.trim() ?? "";
    if (field === "metadata.name" || field === "metadata.namespace" || own.includes(field)) continue;
    throw badRequest(
      own.length > 0
        ? `field label not supported: ${field}`
        : `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
    );
  }
}
