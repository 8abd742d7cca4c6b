import { type ControllerContext, controllerOf, createWorkQueue } from "@microremed/sim-component-base";
import {
  isFinished,
  isTerminating,
  type KubeObject,
  keyOf,
  resources,
  splitKey,
} from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import { type Condition, findCondition, withCondition } from "./conditions.ts";
import { maxRevision, revisionAnnotation, revisionOf, splitSets } from "./deployment-revisions.ts";
import { isScalingEvent, newSetSize, proportionalSizes, shrinkOld, sizeOf } from "./deployment-scaling.ts";
import { createDeploymentSets } from "./deployment-sets.ts";
import { deploymentStatus, msToDeadline } from "./deployment-status.ts";
import { canonicalTemplate } from "./pod-template.ts";

/** Rolls Deployments out over ReplicaSets. */
export function startDeploymentController(ctx: ControllerContext): void {
  const { store, loop, podsByOwner } = ctx;
  const replicaSets = createDeploymentSets(ctx);
  const { resize } = replicaSets;
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

  function rolling(deployment: KubeObject, current: KubeObject, old: readonly KubeObject[]): void {
    const size = newSetSize(deployment, current, [...old, current]);
    if (size !== sizeOf(current)) {
      resize(deployment, { set: current, replicas: size });
      return;
    }
    for (const each of shrinkOld(deployment, current, old)) resize(deployment, each);
  }

  const podsOf = (sets: readonly KubeObject[]): readonly KubeObject[] =>
    sets.flatMap((set) => podsByOwner.of(set.metadata.uid));

  interface Progress {
    readonly current: KubeObject | undefined;
    readonly conditions: readonly Condition[];
  }

  /** The ReplicaSet of the present template, made if need be, with what that says of progress. */
  function ensureCurrent(
    deployment: KubeObject,
    found: KubeObject | undefined,
    old: readonly KubeObject[],
    conditions: readonly Condition[],
  ): Progress {
    const say = (reason: string, message: string): readonly Condition[] =>
      withCondition(
        conditions,
        { type: "Progressing", status: "True", reason, message },
        rfc3339(loop.now()),
      );
    if (found) {
      const current = replicaSets.renumber(deployment, found, old);
      const known = findCondition(conditions, "Progressing");
      const reused = revisionOf(current) !== revisionOf(found);
      const message = `Found new replica set "${current.metadata.name}"`;
      return { current, conditions: known && !reused ? conditions : say("FoundNewReplicaSet", message) };
    }
    const created = replicaSets.create(deployment, old, maxRevision(old) + 1);
    if (!created) {
      const collisionCount = (deployment.status?.collisionCount ?? 0) + 1;
      writeStatus(deployment, { ...deployment.status, collisionCount });
      return { current: undefined, conditions };
    }
    return {
      current: created,
      conditions: say("NewReplicaSetCreated", `Created new replica set "${created.metadata.name}"`),
    };
  }

  function rollOut(
    deployment: KubeObject,
    found: KubeObject | undefined,
    old: readonly KubeObject[],
    conditions: readonly Condition[],
  ): Progress {
    if (deployment.spec.strategy?.type === "Recreate") {
      const running = old.filter((set) => sizeOf(set) > 0);
      for (const set of running) resize(deployment, { set, replicas: 0 });
      if (running.length > 0 || podsOf(old).some((pod) => !isFinished(pod)))
        return { current: found, conditions };
      const progress = ensureCurrent(deployment, found, old, conditions);
      const { current } = progress;
      const replicas: number = deployment.spec.replicas ?? 1;
      if (current && sizeOf(current) !== replicas) resize(deployment, { set: current, replicas });
      return progress;
    }
    const progress = ensureCurrent(deployment, found, old, conditions);
    if (progress.current) rolling(deployment, progress.current, old);
    return progress;
  }

  function pausedConditions(deployment: KubeObject): readonly Condition[] {
    const conditions: readonly Condition[] = deployment.status?.conditions ?? [];
    const before = findCondition(conditions, "Progressing");
    const paused = Boolean(deployment.spec.paused);
    if (before?.reason === "ProgressDeadlineExceeded") return conditions;
    const was = before?.reason === "DeploymentPaused";
    if (paused === was) return conditions;
    const reason = paused ? "DeploymentPaused" : "DeploymentResumed";
    const message = paused ? "Deployment is paused" : "Deployment is resumed";
    const unknown = { type: "Progressing", status: "Unknown", reason, message } as const;
    return withCondition(conditions, unknown, rfc3339(loop.now()));
  }

  function reconcile(key: string): void {
    const stored = store.get(resources.deployments, ...splitKey(key));
    if (!stored) return;
    const sets = replicaSets.claim(stored);
    const { current: found, old } = splitSets(stored, sets);
    let progress: Progress = { current: found, conditions: pausedConditions(stored) };
    let deployment = stored;
    if (!isTerminating(stored)) {
      if (stored.spec.paused || isScalingEvent(stored, sets)) {
        for (const each of proportionalSizes(stored, found, old)) resize(stored, each);
        refreshAnnotations(stored);
      } else {
        progress = rollOut(stored, found, old, progress.conditions);
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
