import { matchesSelector } from "@microremed/kube-rules";
import {
  type ControllerContext,
  controllerReference,
  createOwnerIndex,
} from "@microremed/sim-component-base";
import { isTerminating, type KubeObject, resources, StatusError } from "@microremed/sim-objects";
import {
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  maxRevision,
  revisionOf,
  setAnnotations,
} from "./deployment-revisions.ts";
import { type Resize, rollingBounds, sizeOf } from "./deployment-scaling.ts";
import { templateHash, templateHashLabel } from "./pod-template.ts";

const source = { component: "deployment-controller" };

/** The ReplicaSets of Deployments, and every write to them. */
export interface DeploymentSets {
  /** Those that the deployment owns, after it has adopted orphans that it selects. */
  claim(deployment: KubeObject): readonly KubeObject[];
  of(deployment: KubeObject): readonly KubeObject[];
  /** Writes the size and what it was meant for; says so in an event when the size changed. */
  resize(deployment: KubeObject, resize: Resize): KubeObject;
  /** The set for the present template; undefined when its name is taken by another template. */
  create(deployment: KubeObject, old: readonly KubeObject[], revision: number): KubeObject | undefined;
  /** Gives the current set the newest revision. */
  renumber(deployment: KubeObject, current: KubeObject, old: readonly KubeObject[]): KubeObject;
  /** Deletes idle old sets beyond the history limit, oldest revision first. */
  cleanUp(deployment: KubeObject, old: readonly KubeObject[]): void;
}

export function createDeploymentSets({ store, loop, events }: ControllerContext): DeploymentSets {
  const setsByOwner = createOwnerIndex({ store, loop }, resources.replicaSets);

  function annotationsOf(deployment: KubeObject): Record<string, string> {
    const desired: number = deployment.spec.replicas ?? 1;
    return {
      [desiredReplicasAnnotation]: String(desired),
      [maxReplicasAnnotation]: String(desired + rollingBounds(deployment).maxSurge),
    };
  }

  function claim(deployment: KubeObject): readonly KubeObject[] {
    const { namespace, uid } = deployment.metadata;
    for (const set of setsByOwner.orphans(namespace)) {
      if (isTerminating(set) || !matchesSelector(deployment.spec.selector, set.metadata.labels)) continue;
      const ownerReferences = [...(set.metadata.ownerReferences ?? []), controllerReference(deployment)];
      store.update(resources.replicaSets, { ...set, metadata: { ...set.metadata, ownerReferences } });
    }
    return setsByOwner.of(uid);
  }

  function resize(deployment: KubeObject, { set, replicas }: Resize): KubeObject {
    const annotations = { ...set.metadata.annotations, ...annotationsOf(deployment) };
    const written = store.update(resources.replicaSets, {
      ...set,
      metadata: { ...set.metadata, annotations },
      spec: { ...set.spec, replicas },
    });
    const from = sizeOf(set);
    if (from !== replicas) {
      events.record(source, deployment, {
        type: "Normal",
        reason: "ScalingReplicaSet",
        message: `Scaled ${replicas > from ? "up" : "down"} replica set ${set.metadata.name} to ${replicas} from ${from}`,
      });
    }
    return written;
  }

  function create(
    deployment: KubeObject,
    old: readonly KubeObject[],
    revision: number,
  ): KubeObject | undefined {
    const { template, selector, minReadySeconds } = deployment.spec;
    const hash = templateHash(template, deployment.status?.collisionCount ?? 0);
    const labels = { ...template.metadata?.labels, [templateHashLabel]: hash };
    const name = `${deployment.metadata.name}-${hash}`;
    const recreate = deployment.spec.strategy?.type === "Recreate";
    const desired: number = deployment.spec.replicas ?? 1;
    const room =
      desired + rollingBounds(deployment).maxSurge - old.reduce((sum, set) => sum + sizeOf(set), 0);
    const replicas = recreate ? desired : Math.max(0, Math.min(desired, room));
    try {
      const created = store.create(resources.replicaSets, {
        apiVersion: "apps/v1",
        kind: "ReplicaSet",
        metadata: {
          name,
          ...(deployment.metadata.namespace && { namespace: deployment.metadata.namespace }),
          labels,
          annotations: { ...setAnnotations(deployment, {}, revision), ...annotationsOf(deployment) },
          ownerReferences: [controllerReference(deployment)],
        },
        spec: {
          replicas,
          ...(minReadySeconds !== undefined && { minReadySeconds }),
          selector: { ...selector, matchLabels: { ...selector?.matchLabels, [templateHashLabel]: hash } },
          template: { ...template, metadata: { ...template.metadata, labels } },
        },
        status: { replicas: 0 },
      });
      if (replicas > 0) {
        events.record(source, deployment, {
          type: "Normal",
          reason: "ScalingReplicaSet",
          message: `Scaled up replica set ${name} to ${replicas}`,
        });
      }
      return created;
    } catch (error) {
      if (!(error instanceof StatusError) || error.reason !== "AlreadyExists") throw error;
      return undefined;
    }
  }

  function renumber(deployment: KubeObject, current: KubeObject, old: readonly KubeObject[]): KubeObject {
    const annotations = setAnnotations(
      deployment,
      current.metadata.annotations ?? {},
      Math.max(revisionOf(current), maxRevision(old) + 1),
    );
    const minReadySeconds = deployment.spec.minReadySeconds;
    return store.update(resources.replicaSets, {
      ...current,
      metadata: { ...current.metadata, annotations },
      spec: { ...current.spec, ...(minReadySeconds !== undefined && { minReadySeconds }) },
    });
  }

  function cleanUp(deployment: KubeObject, old: readonly KubeObject[]): void {
    const limit: number = deployment.spec.revisionHistoryLimit ?? 10;
    const idle = old.filter(
      (set) => sizeOf(set) === 0 && (set.status?.replicas ?? 0) === 0 && !isTerminating(set),
    );
    const surplus = [...idle]
      .sort((a, b) => revisionOf(a) - revisionOf(b))
      .slice(0, Math.max(0, old.length - limit));
    for (const set of surplus) {
      store.delete(resources.replicaSets, set.metadata.namespace, set.metadata.name, {
        propagationPolicy: "Background",
      });
    }
  }

  return {
    claim,
    of: (deployment) => setsByOwner.of(deployment.metadata.uid),
    resize,
    create,
    renumber,
    cleanUp,
  };
}
