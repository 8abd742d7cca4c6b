import type { KubeObject } from "@microremed/cluster";
import type { PodSpec } from "./pod.types.ts";

/** A ConfigMap or Secret of the pod's namespace that it cannot start without, unless optional. */
export interface Reference {
  readonly kind: "ConfigMap" | "Secret";
  readonly name: string;
  readonly optional: boolean;
}

/** The pod of a workload; undefined for objects without one. */
export function podSpecOf({ spec }: KubeObject): PodSpec | undefined {
  const { template } = (spec ?? {}) as { template?: { spec?: PodSpec } };
  return template?.spec;
}

/** What the pods of a workload refer to. */
export function referencesIn(object: KubeObject): Reference[] {
  const spec = podSpecOf(object);
  if (!spec) return [];
  const of = (kind: Reference["kind"], ref: { name: string; optional?: boolean } | undefined): Reference[] =>
    ref ? [{ kind, name: ref.name, optional: ref.optional ?? false }] : [];
  const containers = [...(spec.initContainers ?? []), ...spec.containers];
  return [
    ...containers.flatMap(({ env = [], envFrom = [] }) => [
      ...env.flatMap(({ valueFrom }) => [
        ...of("ConfigMap", valueFrom?.configMapKeyRef),
        ...of("Secret", valueFrom?.secretKeyRef),
      ]),
      ...envFrom.flatMap(({ configMapRef, secretRef }) => [
        ...of("ConfigMap", configMapRef),
        ...of("Secret", secretRef),
      ]),
    ]),
    ...(spec.volumes ?? []).flatMap(({ configMap, secret }) => [
      ...of("ConfigMap", configMap),
      ...of("Secret", secret && { ...secret, name: secret.secretName }),
    ]),
  ];
}
