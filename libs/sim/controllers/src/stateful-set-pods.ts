import { controllerReference } from "@microremed/sim-component-base";
import type { KubeObject, NewObject } from "@microremed/sim-objects";

export const revisionLabel = "controller-revision-hash";

export function ordinalOf(pod: KubeObject): number {
  return Number(/-(\d+)$/.exec(pod.metadata.name)?.[1] ?? -1);
}

export function revisionOfPod(pod: KubeObject): string | undefined {
  return pod.metadata.labels?.[revisionLabel];
}

interface ClaimTemplate {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: unknown;
}

function claimTemplates(set: KubeObject): readonly ClaimTemplate[] {
  return set.spec.volumeClaimTemplates ?? [];
}

function claimName(set: KubeObject, template: ClaimTemplate, ordinal: number): string {
  return `${template.metadata.name}-${set.metadata.name}-${ordinal}`;
}

/** The claims that the pod of this ordinal mounts; they outlive the pod. */
export function claimsOf(set: KubeObject, ordinal: number): readonly NewObject[] {
  return claimTemplates(set).map((template) => ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name: claimName(set, template, ordinal),
      ...(set.metadata.namespace && { namespace: set.metadata.namespace }),
      labels: { ...template.metadata.labels, ...set.spec.selector?.matchLabels },
    },
    spec: template.spec,
  }));
}

/** The pod of an ordinal, made from the template of a revision. */
export function podOf(
  set: KubeObject,
  template: KubeObject["spec"],
  ordinal: number,
  revision: string,
): NewObject {
  const name = `${set.metadata.name}-${ordinal}`;
  const claims = claimTemplates(set);
  const claimed = new Set(claims.map((claim) => claim.metadata.name));
  const own = (template.spec.volumes ?? []).filter((volume: { name: string }) => !claimed.has(volume.name));
  const volumes = [
    ...claims.map((claim) => ({
      name: claim.metadata.name,
      persistentVolumeClaim: { claimName: claimName(set, claim, ordinal) },
    })),
    ...own,
  ];
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      generateName: `${set.metadata.name}-`,
      ...(set.metadata.namespace && { namespace: set.metadata.namespace }),
      labels: {
        ...template.metadata?.labels,
        "apps.kubernetes.io/pod-index": String(ordinal),
        [revisionLabel]: revision,
        "statefulset.kubernetes.io/pod-name": name,
      },
      ...(template.metadata?.annotations && { annotations: template.metadata.annotations }),
      ownerReferences: [controllerReference(set)],
    },
    spec: {
      ...template.spec,
      hostname: name,
      ...(set.spec.serviceName && { subdomain: set.spec.serviceName }),
      ...(volumes.length > 0 && { volumes }),
    },
  };
}
