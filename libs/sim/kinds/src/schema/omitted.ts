import { isRecord } from "@microremed/sim-objects";
import type { FieldType } from "./field-type.ts";

/**
 * Fields that are plain values in Go (no pointers) and marked `omitempty`: their zero is not stored, so to write it
 * changes nothing, and zero asks for the default where there is one. From the API's types in k8s.io/api.
 */
const plainFields: Readonly<Record<string, readonly string[]>> = {
  PodSpec: [
    ...["hostNetwork", "hostPID", "hostIPC", "nodeName", "hostname", "subdomain", "priorityClassName"],
    ...["serviceAccountName", "serviceAccount", "schedulerName", "restartPolicy", "dnsPolicy"],
  ],
  Container: [
    "stdin",
    "stdinOnce",
    "tty",
    "workingDir",
    "image",
    "imagePullPolicy",
    "terminationMessagePath",
  ],
  EphemeralContainer: ["stdin", "stdinOnce", "tty", "workingDir", "targetContainerName"],
  ContainerPort: ["name", "hostPort", "hostIP", "protocol"],
  EnvVar: ["value"],
  EnvFromSource: ["prefix"],
  VolumeMount: ["readOnly", "subPath", "subPathExpr"],
  EmptyDirVolumeSource: ["medium"],
  PersistentVolumeClaimVolumeSource: ["readOnly"],
  NFSVolumeSource: ["readOnly"],
  Toleration: ["key", "operator", "value", "effect"],
  HTTPGetAction: ["path", "host", "scheme"],
  TCPSocketAction: ["host"],
  Probe: [
    ...["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"],
  ],
  DeploymentSpec: ["minReadySeconds", "paused"],
  StatefulSetSpec: ["minReadySeconds", "serviceName", "podManagementPolicy"],
  DaemonSetSpec: ["minReadySeconds"],
  ReplicaSetSpec: ["minReadySeconds"],
  ReplicationControllerSpec: ["minReadySeconds"],
  ServiceSpec: ["healthCheckNodePort", "publishNotReadyAddresses", "externalName", "type", "sessionAffinity"],
  ServicePort: ["name", "nodePort", "protocol"],
  NodeSpec: ["unschedulable"],
};
const plain = new Map(Object.entries(plainFields).map(([struct, fields]) => [struct, new Set(fields)]));

/** Lists without `omitempty`: an empty one is stored. */
const keptLists = new Set([
  ...["addresses", "containers", "drivers", "endpoints", "items", "nodeSelectorTerms", "paths", "rules"],
  ...["sources", "verbs", "versions"],
  // Of EndpointSlices only.
  "ports",
]);

/** Whether Go leaves a field out when it writes its struct: null, empty lists and maps, and the zero of plain values. */
export function isOmitted(struct: string, field: string, type: FieldType, value: unknown): boolean {
  if (value === null) return true;
  if (type.kind === "list") return Array.isArray(value) && value.length === 0 && !isKept(struct, field);
  if (type.kind === "map") return isRecord(value) && Object.keys(value).length === 0;
  const isZero = value === false || value === 0 || value === "";
  return isZero && (plain.get(struct)?.has(field) ?? false);
}

const isKept = (struct: string, field: string): boolean =>
  keptLists.has(field) && (field !== "ports" || struct === "EndpointSlice");
