import type { KubeObject } from "@microremed/cluster";
import { holdsLabels } from "@microremed/kube-rules";
import type { PodSpec } from "../pods/pod.types.ts";
import { podSpecOf } from "../pods/references.ts";

type Labels = Readonly<Record<string, string>>;

/** What starts pods. */
export interface Workload {
  readonly kind: "Deployment" | "StatefulSet" | "Job";
  readonly name: string;
  readonly namespace: string;
  readonly replicas: number;
  readonly labels: Labels;
  readonly spec: PodSpec;
}

export interface ServiceObject {
  readonly name: string;
  readonly namespace: string;
  readonly selector: Labels;
  /** Names resolve to its pods' addresses, ready or not. */
  readonly publishesAll: boolean;
}

export function workloadOf(object: KubeObject): Workload[] {
  const { kind, metadata } = object;
  const spec = podSpecOf(object);
  if (!spec || (kind !== "Deployment" && kind !== "StatefulSet" && kind !== "Job")) return [];
  const { replicas = 1, template } = object.spec as {
    replicas?: number;
    template?: { metadata?: { labels?: Labels } };
  };
  const { name, namespace = "default" } = metadata;
  return [{ kind, name, namespace, replicas, labels: template?.metadata?.labels ?? {}, spec }];
}

export function serviceOf({ kind, metadata, spec }: KubeObject): ServiceObject[] {
  if (kind !== "Service") return [];
  const { selector = {}, publishNotReadyAddresses = false } = spec as {
    selector?: Labels;
    publishNotReadyAddresses?: boolean;
  };
  const { name, namespace = "default" } = metadata;
  return [{ name, namespace, selector, publishesAll: publishNotReadyAddresses }];
}

export function isBehind({ namespace, selector }: ServiceObject, workload: Workload): boolean {
  return workload.namespace === namespace && holdsLabels(workload.labels, selector);
}

/** Plain text of a ConfigMap or Secret among the objects. */
export function dataOf(
  objects: readonly KubeObject[],
  namespace: string,
  kind: string,
  name: string,
): Record<string, string> | undefined {
  const found = objects.find(
    (one) => one.kind === kind && one.metadata.name === name && one.metadata.namespace === namespace,
  );
  if (!found) return undefined;
  const { data, stringData } = found as {
    data?: Record<string, string>;
    stringData?: Record<string, string>;
  };
  const plain = Object.entries(data ?? {}).map(([key, value]) => [
    key,
    kind === "Secret" ? Buffer.from(value, "base64").toString("utf8") : value,
  ]);
  return { ...Object.fromEntries(plain), ...stringData };
}
