import type { KubeObject } from "@microremed/cluster";
import { deepFrozen, isJsonObject, oncePerFrozen } from "@microremed/core";

/** Annotations that controllers and clients keep for themselves. */
const volatileAnnotations = [
  /^deployment\.kubernetes\.io\//,
  /^kubectl\.kubernetes\.io\/last-applied-configuration$/,
  /^pv\.kubernetes\.io\//,
  /^volume\.(beta\.)?kubernetes\.io\//,
  /^deprecated\.daemonset\.template\.generation$/,
  /^batch\.kubernetes\.io\/cronjob-scheduled-timestamp$/,
];

/** Fields of `spec` that the cluster fills in itself, by kind. */
const assignedFields: Readonly<Record<string, readonly string[]>> = {
  Service: ["clusterIP", "clusterIPs", "healthCheckNodePort"],
  PersistentVolumeClaim: ["volumeName"],
};

/** Whether the cluster writes this annotation by itself, so that it says nothing about what was applied. */
export function isVolatileAnnotation(name: string): boolean {
  return volatileAnnotations.some((pattern) => pattern.test(name));
}

/** The desired fields of an object, without what the cluster has made of it: two of these can be compared. */
export const normalise = oncePerFrozen((object: KubeObject): KubeObject => {
  const { apiVersion, kind, metadata, status: _status, secrets: _secrets, spec, ...rest } = object;
  const annotations = Object.entries(metadata.annotations ?? {}).filter(
    ([name]) => !isVolatileAnnotation(name),
  );
  const desired = sortKeys({
    apiVersion,
    kind,
    metadata: {
      name: metadata.name,
      ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
      ...(metadata.labels && Object.keys(metadata.labels).length > 0 && { labels: metadata.labels }),
      ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
      ...(isFilled(metadata.finalizers) && { finalizers: metadata.finalizers }),
      ...(isFilled(metadata.ownerReferences) && { ownerReferences: metadata.ownerReferences }),
    },
    ...(spec !== undefined && { spec: normaliseSpec(kind, spec) }),
    ...rest,
  }) as KubeObject;
  return deepFrozen(desired);
});

function isFilled(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}

function normaliseSpec(kind: string | undefined, spec: unknown): unknown {
  if (!isJsonObject(spec)) return spec;
  if (kind === "Job" && spec["manualSelector"] !== true) return withoutOwnSelector(spec);
  const assigned = assignedFields[kind ?? ""] ?? [];
  return Object.fromEntries(
    Object.entries(spec).filter(([field, value]) => !assigned.includes(field) || value === "None"),
  );
}

const jobLabels = /^(batch\.kubernetes\.io\/)?(controller-uid|job-name)$/;

/** A Job finds its pods by its uid, which the cluster writes into its selector and its template. */
function withoutOwnSelector({ selector: _, template, ...rest }: Readonly<Record<string, unknown>>): unknown {
  if (!isJsonObject(template) || !isJsonObject(template["metadata"])) return { ...rest, template };
  const { labels, ...metadata } = template["metadata"];
  const kept = Object.entries(isJsonObject(labels) ? labels : {}).filter(([name]) => !jobLabels.test(name));
  const own = { ...metadata, ...(kept.length > 0 && { labels: Object.fromEntries(kept) }) };
  return { ...rest, template: { ...template, metadata: own } };
}

/** One spelling per value: keys sorted, null fields (e.g. a template's creationTimestamp) left out. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .filter((key) => value[key] !== null && value[key] !== undefined)
      .map((key) => [key, sortKeys(value[key])]),
  );
}
