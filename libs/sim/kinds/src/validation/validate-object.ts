import {
  invalid,
  isRecord,
  jsonEqual,
  type KubeObject,
  type NewObject,
  qualified,
  type ResourceRef,
  type StatusCause,
} from "@microremed/sim-objects";
import { customViolations } from "../custom/violations.ts";
import { forbiddenField, invalidValue, required } from "../fields/field-errors.ts";
import type { ResourceType } from "../resource-type/resource-type.ts";
import { validateDefinition } from "./custom-definition.ts";
import { dnsLabel, dnsSubdomain, labelKey, pathSegment, serviceName, validateLabels } from "./names.ts";
import {
  validateAutoscaler,
  validateBinding,
  validateBudget,
  validateClaim,
  validateConfigMap,
  validateIngress,
  validatePod,
  validateRole,
  validateSecret,
  validateService,
} from "./platform.ts";
import { validateSigningRequest } from "./signing-request.ts";
import { validateWebhooks } from "./webhooks.ts";
import {
  validateCronJob,
  validateDaemonSet,
  validateDeployment,
  validateJob,
  validateReplicaSet,
  validateReplicationController,
  validateStatefulSet,
} from "./workloads.ts";

type Rule = (object: NewObject, old: KubeObject | undefined) => StatusCause[];

const rules: Readonly<Record<string, Rule>> = {
  pods: validatePod,
  services: validateService,
  replicationcontrollers: validateReplicationController,
  configmaps: validateConfigMap,
  secrets: validateSecret,
  persistentvolumeclaims: validateClaim,
  "deployments.apps": validateDeployment,
  "replicasets.apps": validateReplicaSet,
  "statefulsets.apps": validateStatefulSet,
  "daemonsets.apps": validateDaemonSet,
  "jobs.batch": validateJob,
  "cronjobs.batch": validateCronJob,
  "horizontalpodautoscalers.autoscaling": validateAutoscaler,
  "rolebindings.rbac.authorization.k8s.io": validateBinding,
  "clusterrolebindings.rbac.authorization.k8s.io": validateBinding,
  "roles.rbac.authorization.k8s.io": validateRole,
  "clusterroles.rbac.authorization.k8s.io": validateRole,
  "poddisruptionbudgets.policy": validateBudget,
  "ingresses.networking.k8s.io": validateIngress,
  "customresourcedefinitions.apiextensions.k8s.io": validateDefinition,
  "certificatesigningrequests.certificates.k8s.io": validateSigningRequest,
  "mutatingwebhookconfigurations.admissionregistration.k8s.io": validateWebhooks,
  "validatingwebhookconfigurations.admissionregistration.k8s.io": validateWebhooks,
};

/** Kinds that make no sense without a spec. */
const needSpec = new Set([
  "pods",
  "replicationcontrollers",
  "services",
  "persistentvolumeclaims",
  "deployments.apps",
  "replicasets.apps",
  "statefulsets.apps",
  "daemonsets.apps",
  "jobs.batch",
  "cronjobs.batch",
  "horizontalpodautoscalers.autoscaling",
  "networkpolicies.networking.k8s.io",
  "certificatesigningrequests.certificates.k8s.io",
  "customresourcedefinitions.apiextensions.k8s.io",
]);

function nameRule(ref: ResourceRef): (field: string, name: string) => StatusCause[] {
  const key = qualified(ref);
  if (key === "services") return serviceName;
  if (key === "namespaces") return dnsLabel;
  return ref.group === "rbac.authorization.k8s.io" ? pathSegment : dnsSubdomain;
}

/** Sum of keys and values, as the server counts it. */
const maxAnnotationBytes = 256 * 1024;

function validateMetadata(ref: ResourceRef, object: NewObject, old: KubeObject | undefined): StatusCause[] {
  const { name, generateName, labels, annotations, ownerReferences = [], finalizers = [] } = object.metadata;
  const causes: StatusCause[] = [];
  if (!old && name) causes.push(...nameRule(ref)("metadata.name", name));
  if (!old && !name && generateName) {
    causes.push(...nameRule(ref)("metadata.generateName", `${generateName}x`).slice(0, 1));
  }
  causes.push(...validateLabels("metadata.labels", labels));
  const entries = Object.entries(annotations ?? {});
  for (const [key] of entries) causes.push(...labelKey("metadata.annotations", key.toLowerCase()));
  const bytes = entries.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  if (bytes > maxAnnotationBytes) {
    causes.push({
      reason: "FieldValueTooLong",
      message: `Too long: must have at most ${maxAnnotationBytes} bytes`,
      field: "metadata.annotations",
    });
  }
  for (const [index, owner] of ownerReferences.entries()) {
    const at = `metadata.ownerReferences[${index}]`;
    for (const field of ["apiVersion", "kind", "name", "uid"] as const) {
      if (!owner?.[field]) causes.push(invalidValue(`${at}.${field}`, "", `${field} must not be empty`));
    }
  }
  const added = finalizers.filter((finalizer) => !old?.metadata.finalizers?.includes(finalizer));
  if (old?.metadata.deletionTimestamp && added.length > 0) {
    causes.push(
      forbiddenField(
        "metadata.finalizers",
        `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((item) => JSON.stringify(item)).join(", ")}}`,
      ),
    );
  }
  return causes;
}

/**
 * Throws 422 with every broken rule. `stage`: `shape` runs before defaulting and only makes sure that it can work,
 * `values` runs the kind's rules on the complete object. Only the changes of an update are checked: objects that
 * were acceptable once stay writable in their metadata.
 */
export function validateObject(
  ref: ResourceRef,
  type: ResourceType,
  object: NewObject,
  old: KubeObject | undefined,
  stage: "shape" | "values",
): void {
  const name = object.metadata.name ?? object.metadata.generateName ?? "";
  const causes: StatusCause[] = [];
  const key = qualified(ref);
  if (stage === "shape") {
    if (needSpec.has(key) && !isRecord(object.spec)) causes.push(required("spec"));
  } else {
    causes.push(...validateMetadata(ref, object, old));
    if (!old || !jsonEqual({ ...old, metadata: 0 }, { ...object, metadata: 0 })) {
      causes.push(...(rules[key]?.(object, old) ?? []));
      if (type.custom?.schema) causes.push(...customViolations(type.custom.schema, object, old));
    }
  }
  if (causes.length > 0) throw invalid(type, name, causes);
}
