import type { Kind } from "@microremed/cluster";
import { isJsonObject } from "@microremed/core";
import { valueAt } from "./field-change.ts";

/** Value of a field, from the object that has it and the pointer to it. */
type Default = unknown | ((object: unknown, pointer: string) => unknown);

const template = "/spec/template/spec";
const pods: readonly (readonly [RegExp, Default])[] = [
  [new RegExp(`^${template}/dnsPolicy$`), "ClusterFirst"],
  [new RegExp(`^${template}/schedulerName$`), "default-scheduler"],
  [new RegExp(`^${template}/restartPolicy$`), "Always"],
  [new RegExp(`^${template}/terminationGracePeriodSeconds$`), 30],
];
const quarter = { maxUnavailable: "25%", maxSurge: "25%" };

/**
 * Fields that the API server gives a value where a manifest leaves them out, of the kinds that faults change: API reference of
 * Kubernetes 1.31, "Defaults to" in Service, Deployment, StatefulSet, DaemonSet and PodSpec. Every reader of the object sees these values.
 */
const defaults: Readonly<Record<string, readonly (readonly [RegExp, Default])[]>> = {
  Service: [
    [/^\/spec\/internalTrafficPolicy$/, "Cluster"],
    [/^\/spec\/sessionAffinity$/, "None"],
    [/^\/spec\/type$/, "ClusterIP"],
    [/^\/spec\/ports\/\d+\/protocol$/, "TCP"],
    [/^\/spec\/ports\/\d+\/targetPort$/, portBeside],
  ],
  Deployment: [
    [/^\/spec\/replicas$/, 1],
    [/^\/spec\/strategy$/, { type: "RollingUpdate", rollingUpdate: quarter }],
    ...pods,
  ],
  StatefulSet: [
    [/^\/spec\/replicas$/, 1],
    [/^\/spec\/podManagementPolicy$/, "OrderedReady"],
    [/^\/spec\/updateStrategy$/, { type: "RollingUpdate", rollingUpdate: { partition: 0 } }],
    ...pods,
  ],
  DaemonSet: [
    [
      /^\/spec\/updateStrategy$/,
      { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
    ],
    ...pods,
  ],
};

/** A port leads to the same number in the pods. */
function portBeside(object: unknown, pointer: string): unknown {
  const port = valueAt(object, pointer.replace(/\/targetPort$/, ""));
  return isJsonObject(port) ? port["port"] : undefined;
}

/** What the API server gives a field that a manifest leaves out; undefined: nothing. `pointer`: JSON pointer to the field. */
export function serverDefault(kind: Pick<Kind, "kind">, object: unknown, pointer: string): unknown {
  const found = defaults[kind.kind]?.find(([path]) => path.test(pointer))?.[1];
  return typeof found === "function" ? found(object, pointer) : found;
}
