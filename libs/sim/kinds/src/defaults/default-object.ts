import {
  isRecord,
  type LooseRecord,
  type NewObject,
  qualified,
  type ResourceRef,
} from "@microremed/sim-objects";
import { defaultDefinition } from "../custom/definitions.ts";
import type { ResourceType } from "../resource-type/resource-type.ts";
import { withDefaults } from "../structural-schema/schema.ts";
import {
  defaultAutoscaler,
  defaultBinding,
  defaultClaim,
  defaultLimitRange,
  defaultNamespace,
  defaultNetworkPolicy,
  defaultSecret,
  defaultService,
  defaultStorageClass,
  defaultVolumeObject,
} from "./platform.ts";
import { defaultPod, qosClass } from "./pod.ts";
import { defaultMutatingWebhooks, defaultValidatingWebhooks } from "./webhooks.ts";
import {
  defaultCronJob,
  defaultDaemonSet,
  defaultDeployment,
  defaultJob,
  defaultReplicaSet,
  defaultReplicationController,
  defaultStatefulSet,
} from "./workloads.ts";

const withSpec: Readonly<Record<string, (object: LooseRecord) => void>> = {
  pods: defaultPod,
  replicationcontrollers: defaultReplicationController,
  services: defaultService,
  limitranges: defaultLimitRange,
  persistentvolumeclaims: defaultClaim,
  persistentvolumes: defaultVolumeObject,
  "deployments.apps": defaultDeployment,
  "replicasets.apps": defaultReplicaSet,
  "statefulsets.apps": defaultStatefulSet,
  "daemonsets.apps": defaultDaemonSet,
  "jobs.batch": defaultJob,
  "cronjobs.batch": defaultCronJob,
  "horizontalpodautoscalers.autoscaling": defaultAutoscaler,
  "networkpolicies.networking.k8s.io": defaultNetworkPolicy,
  "customresourcedefinitions.apiextensions.k8s.io": defaultDefinition,
};

const withoutSpec: Readonly<Record<string, (object: LooseRecord) => void>> = {
  namespaces: defaultNamespace,
  secrets: defaultSecret,
  "storageclasses.storage.k8s.io": defaultStorageClass,
  "rolebindings.rbac.authorization.k8s.io": defaultBinding,
  "clusterrolebindings.rbac.authorization.k8s.io": defaultBinding,
  "mutatingwebhookconfigurations.admissionregistration.k8s.io": defaultMutatingWebhooks,
  "validatingwebhookconfigurations.admissionregistration.k8s.io": defaultValidatingWebhooks,
};

/** The object with everything filled in that a real API server fills in on a write. Its schema must be checked before. */
export function defaultObject(ref: ResourceRef, object: NewObject): NewObject {
  const key = qualified(ref);
  const copy = structuredClone(object) as LooseRecord;
  if (isRecord(copy["spec"])) withSpec[key]?.(copy);
  withoutSpec[key]?.(copy);
  return copy as unknown as NewObject;
}

/** The same for any type: custom resources by the defaults of their schema. */
export function defaulted(type: ResourceType, ref: ResourceRef, object: NewObject): NewObject {
  const schema = type.custom?.schema;
  return schema ? withDefaults(schema, object) : defaultObject(ref, object);
}

const noPods = {
  currentNumberScheduled: 0,
  desiredNumberScheduled: 0,
  numberMisscheduled: 0,
  numberReady: 0,
};
const noBudget = { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 };

const initial: Readonly<Record<string, (object: NewObject) => object>> = {
  pods: (pod) => ({ phase: "Pending", qosClass: qosClass(pod.spec) }),
  namespaces: () => ({ phase: "Active" }),
  persistentvolumeclaims: () => ({ phase: "Pending" }),
  services: () => ({ loadBalancer: {} }),
  replicationcontrollers: () => ({ replicas: 0 }),
  "replicasets.apps": () => ({ replicas: 0 }),
  "statefulsets.apps": () => ({ replicas: 0, availableReplicas: 0 }),
  "daemonsets.apps": () => noPods,
  "poddisruptionbudgets.policy": () => noBudget,
};

/** The status that a new object starts with. */
export function initialStatus(ref: ResourceRef, object: NewObject): object {
  return initial[qualified(ref)]?.(object) ?? {};
}
