import type { ControllerContext } from "@microremed/sim-component-base";
import { isFinished, type KubeObject } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import type { Condition } from "./conditions.ts";
import { createdSet, foundSet } from "./deployment-progress.ts";
import { maxRevision, revisionOf } from "./deployment-revisions.ts";
import { rollingSizes, sizeOf } from "./deployment-scaling.ts";
import type { DeploymentSets } from "./deployment-sets.ts";

export interface Progress {
  /** The ReplicaSet of the present template. */
  readonly current: KubeObject | undefined;
  readonly conditions: readonly Condition[];
}

/** One deployment in the middle of its rollout. */
export interface Rollout extends Progress {
  readonly deployment: KubeObject;
  readonly old: readonly KubeObject[];
}

/** Takes rollouts one step further, by the deployment's strategy. */
export function createRollouts(
  { loop, podsByOwner }: Pick<ControllerContext, "loop" | "podsByOwner">,
  sets: DeploymentSets,
  /** Called when the name of the new ReplicaSet is taken by another template. */
  collided: (deployment: KubeObject) => void,
): (rollout: Rollout) => Progress {
  /** The ReplicaSet of the present template, made if need be, with what that says of progress. */
  function ensureCurrent({ deployment, current: found, old, conditions }: Rollout): Progress {
    const at = rfc3339(loop.now());
    if (found) {
      const current = sets.renumber(deployment, found, old);
      const reused = revisionOf(current) !== revisionOf(found);
      return { current, conditions: foundSet(conditions, { name: current.metadata.name, reused }, at) };
    }
    const current = sets.create(deployment, old, maxRevision(old) + 1);
    if (current) return { current, conditions: createdSet(conditions, current.metadata.name, at) };
    collided(deployment);
    return { current, conditions };
  }

  /** All old pods go before the first new one comes. */
  function recreate(rollout: Rollout): Progress {
    const { deployment, old, current: found, conditions } = rollout;
    const running = old.filter((set) => sizeOf(set) > 0);
    for (const set of running) sets.resize(deployment, { set, replicas: 0 });
    const pods = old.flatMap((set) => podsByOwner.of(set.metadata.uid));
    if (running.length > 0 || pods.some((pod) => !isFinished(pod))) return { current: found, conditions };
    const progress = ensureCurrent(rollout);
    const { current } = progress;
    const replicas: number = deployment.spec.replicas ?? 1;
    if (current && sizeOf(current) !== replicas) sets.resize(deployment, { set: current, replicas });
    return progress;
  }

  function roll(rollout: Rollout): Progress {
    const { deployment, old } = rollout;
    const progress = ensureCurrent(rollout);
    if (!progress.current) return progress;
    for (const each of rollingSizes(deployment, progress.current, old)) sets.resize(deployment, each);
    return progress;
  }

  return (rollout) => (rollout.deployment.spec.strategy?.type === "Recreate" ? recreate : roll)(rollout);
}
