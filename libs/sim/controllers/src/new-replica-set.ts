import { controllerReference } from "@microremed/sim-component-base";
import type { KubeObject, NewObject } from "@microremed/sim-objects";
import { desiredReplicasAnnotation, maxReplicasAnnotation, setAnnotations } from "./deployment-revisions.ts";
import { rollingBounds, sizeOf } from "./deployment-scaling.ts";
import { templateHash, templateHashLabel } from "./pod-template.ts";

/** What a ReplicaSet remembers of the deployment's size when it was sized itself. */
export function sizeAnnotations(deployment: KubeObject): Readonly<Record<string, string>> {
  const desired: number = deployment.spec.replicas ?? 1;
  return {
    [desiredReplicasAnnotation]: String(desired),
    [maxReplicasAnnotation]: String(desired + rollingBounds(deployment).maxSurge),
  };
}

/** The ReplicaSet of the deployment's present template, as large as it may be beside the old ones. */
export function newReplicaSet(
  deployment: KubeObject,
  old: readonly KubeObject[],
  revision: number,
): NewObject & { readonly metadata: { readonly name: string } } {
  const { template, selector, minReadySeconds } = deployment.spec;
  const { name, namespace } = deployment.metadata;
  const hash = templateHash(template, deployment.status?.collisionCount ?? 0);
  const labels = { ...template.metadata?.labels, [templateHashLabel]: hash };
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${name}-${hash}`,
      ...(namespace && { namespace }),
      labels,
      annotations: { ...setAnnotations(deployment, {}, revision), ...sizeAnnotations(deployment) },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas: firstSize(deployment, old),
      ...(minReadySeconds !== undefined && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, [templateHashLabel]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
    status: { replicas: 0 },
  };
}

function firstSize(deployment: KubeObject, old: readonly KubeObject[]): number {
  const desired: number = deployment.spec.replicas ?? 1;
  if (deployment.spec.strategy?.type === "Recreate") return desired;
  const taken = old.reduce((sum, set) => sum + sizeOf(set), 0);
  return Math.max(0, Math.min(desired, desired + rollingBounds(deployment).maxSurge - taken));
}
