import { matchesSelector } from "@microremed/kube-rules";
import {
  type ControllerContext,
  controllerReference,
  createOwnerIndex,
} from "@microremed/sim-component-base";
import { isTerminating, type KubeObject, resources, StatusError } from "@microremed/sim-objects";
import { maxRevision, revisionOf, setAnnotations } from "./deployment-revisions.ts";
import { type Resize, sizeOf } from "./deployment-scaling.ts";
import { newReplicaSet, sizeAnnotations } from "./new-replica-set.ts";

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
    const annotations = { ...set.metadata.annotations, ...sizeAnnotations(deployment) };
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
    const wanted = newReplicaSet(deployment, old, revision);
    const { replicas } = wanted.spec;
    try {
      const created = store.create(resources.replicaSets, wanted);
      if (replicas > 0) {
        events.record(source, deployment, {
          type: "Normal",
          reason: "ScalingReplicaSet",
          message: `Scaled up replica set ${created.metadata.name} to ${replicas}`,
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
