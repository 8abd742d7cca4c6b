import { type ControllerContext, controllerOf, createWorkQueue } from "@microremed/sim-component-base";
import { isTerminating, type KubeObject, keyOf, resources, splitKey } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import { findCondition } from "./conditions.ts";
import { pausedConditions } from "./deployment-progress.ts";
import { revisionAnnotation, revisionOf, splitSets } from "./deployment-revisions.ts";
import { createRollouts, type Progress } from "./deployment-rollout.ts";
import { isScalingEvent, proportionalSizes, sizeOf } from "./deployment-scaling.ts";
import { createDeploymentSets } from "./deployment-sets.ts";
import { deploymentStatus, msToDeadline } from "./deployment-status.ts";
import { canonicalTemplate } from "./pod-template.ts";

/** Rolls Deployments out over ReplicaSets. */
export function startDeploymentController(ctx: ControllerContext): void {
  const { store, loop } = ctx;
  const replicaSets = createDeploymentSets(ctx);
  const { resize } = replicaSets;
  const rollOut = createRollouts(ctx, replicaSets, collided);
  const queue = createWorkQueue({ ...ctx, name: "deployment" }, reconcile);

  function annotate(deployment: KubeObject, revision: number): KubeObject {
    const annotations = { ...deployment.metadata.annotations, [revisionAnnotation]: String(revision) };
    return store.update(resources.deployments, {
      ...deployment,
      metadata: { ...deployment.metadata, annotations },
    });
  }

  function writeStatus(deployment: KubeObject, status: unknown): void {
    const { namespace, name } = deployment.metadata;
    store.mutate(resources.deployments, namespace, name, (fresh) => ({ ...fresh, status }), { status: true });
  }

  function collided(deployment: KubeObject): void {
    const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
    writeStatus(deployment, { ...deployment.status, collisionCount });
  }

  function reconcile(key: string): void {
    const stored = store.get(resources.deployments, ...splitKey(key));
    if (!stored) return;
    const sets = replicaSets.claim(stored);
    const { current: found, old } = splitSets(stored, sets);
    let progress: Progress = { current: found, conditions: pausedConditions(stored, rfc3339(loop.now())) };
    let deployment = stored;
    if (!isTerminating(stored)) {
      if (stored.spec.paused || isScalingEvent(stored, sets)) {
        for (const each of proportionalSizes(stored, found, old)) resize(stored, each);
        refreshAnnotations(stored);
      } else {
        progress = rollOut({ ...progress, deployment: stored, old });
      }
      if (progress.current) {
        const fresh = replicaSets
          .of(stored)
          .find((set) => set.metadata.uid === progress.current?.metadata.uid);
        deployment = annotate(stored, revisionOf(fresh ?? progress.current));
      }
    }
    finish(deployment, progress);
  }

  /** After a change of replicas: sets that kept their size still learn the new wish, or the change never ends. */
  function refreshAnnotations(deployment: KubeObject): void {
    for (const set of replicaSets.of(deployment)) {
      if (sizeOf(set) > 0) resize(deployment, { set, replicas: sizeOf(set) });
    }
  }

  function finish(deployment: KubeObject, { current, conditions }: Progress): void {
    const sets = replicaSets.of(deployment);
    const wanted = canonicalTemplate(deployment.spec.template);
    const now = loop.now();
    const status = deploymentStatus({
      deployment,
      current:
        sets.find((set) => set.metadata.uid === current?.metadata.uid) ??
        sets.find((set) => canonicalTemplate(set.spec.template) === wanted),
      sets,
      conditions,
      now,
      at: rfc3339(now),
    });
    writeStatus(deployment, status);
    const wait = msToDeadline(deployment, status.conditions, now);
    if (wait !== undefined) queue.addAfter(keyOf(deployment), wait);
    const complete = findCondition(status.conditions, "Progressing")?.reason === "NewReplicaSetAvailable";
    if (complete && !isTerminating(deployment)) {
      replicaSets.cleanUp(
        deployment,
        sets.filter((set) => set.metadata.uid !== current?.metadata.uid),
      );
    }
  }

  store.watch(resources.deployments, (event) => queue.add(keyOf(event.object)));
  store.watch(resources.replicaSets, ({ object }) => {
    const owner = controllerOf(object);
    if (owner?.kind === "Deployment") queue.add(`${object.metadata.namespace ?? ""}/${owner.name}`);
  });
  store.watch(resources.pods, (event) => {
    // Recreate waits for the last old pod to be gone.
    if (event.type !== "DELETED") return;
    const set = controllerOf(event.object);
    const owner = set && store.get(resources.replicaSets, event.object.metadata.namespace, set.name);
    const deployment = owner && controllerOf(owner);
    if (deployment) queue.add(`${event.object.metadata.namespace ?? ""}/${deployment.name}`);
  });
}
