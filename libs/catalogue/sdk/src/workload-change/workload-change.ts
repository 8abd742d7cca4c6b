import { type Kind, type KubeObject, kinds, type Pod, type Workload } from "@microremed/cluster";
import { waitFor } from "@microremed/core";
import type { z } from "zod";
import type { FaultContext, FaultDefinition, WithParameters } from "../fault.ts";
import { holds } from "../field-change.ts";
import { type Place, targetOf } from "../target.ts";
import { podsOf } from "../workload-pods.ts";
import { declaredValue, type Edit, pointerTo, type WorkloadField } from "./edits.ts";

/** How a fault changes its target's workload. */
export interface WorkloadChange<P> {
  /** The fields that it changes; the first is the cause. */
  readonly edits: readonly Edit<P>[];
  /** The old pods of a Deployment end although no new one is ready; else a rolling update leaves them in place until then. */
  readonly endsOldPods?: true;
  /**
   * When the fault acts: a pod has the wrong values (default), its program has started with them, none can be made with them, or
   * none is placed on a node.
   */
  readonly pods?: "made" | "started" | "refused" | "unplaced";
}

/** Cluster time, ms: controllers have ended the old pods long before. */
const endedWithinMs = 10_000;

/** `inject`, `status` and `remove` of a fault that gives fields of its target's workload wrong values. */
export function workloadChange<S extends z.ZodObject>(
  change: WorkloadChange<z.output<S>>,
): Pick<FaultDefinition<S>, "inject" | "status" | "remove"> {
  type Context = FaultContext & WithParameters<z.output<S>>;

  async function read(context: Context) {
    const place = targetOf(context.environment, context.target);
    if (!place) throw new Error(`${context.environment.name} has no workload for ${context.target}`);
    const edits = change.edits.map(
      ({ of, field, wrong }): Wrong => ({ of, field, wrong: wrong(context, place) }),
    );
    const live = await context.cluster.get(kindOf(place), context.namespace, place.name);
    const pod = live?.spec?.template?.spec;
    const index = (pod?.containers ?? []).findIndex(({ name }) => name === place.container.name);
    const isWrong = (edit: Wrong): boolean => {
      const owner = { workload: live?.spec, pod, container: pod?.containers[index] }[edit.of];
      return holds((owner as Fields | undefined)?.[edit.field], edit.wrong, edit.field);
    };
    return { place, live, index, edits, wrong: edits.filter(isWrong) };
  }

  async function inject(context: Context): Promise<void> {
    const { place, index, edits } = await read(context);
    await patch(
      context,
      place,
      edits.map((edit) => ({ op: "add", path: pointerTo(edit, index), value: edit.wrong })),
    );
    const ofPods = edits.filter(({ of }) => of !== "workload");
    if (change.endsOldPods && place.workload.kind === "Deployment")
      await endOldPods(context, place, (set) =>
        ofPods.every((edit) => podHas(set.spec?.template?.spec as Fields | undefined, edit, place)),
      );
  }

  async function status(context: Context) {
    const { place, live, edits, wrong } = await read(context);
    const ofPods = edits.filter(({ of }) => of !== "workload");
    const pods = (await podsOf(context, place.name)).filter(
      (pod) =>
        ofPods.some((edit) => podHas(pod.spec as Fields | undefined, edit, place)) &&
        (change.pods !== "unplaced" || isUnplaced(pod)) &&
        (change.pods !== "started" || hasStarted(pod, place)),
    );
    const present = wrong.length > 0;
    const isSeen = (live?.status?.observedGeneration ?? 0) >= (live?.metadata.generation ?? 0);
    const needsNone = ofPods.length === 0 || change.pods === "refused";
    const fields = wrong.map(({ field }) => field).join(", ") || "none";
    return {
      present,
      injected: present && isSeen && (needsNone || pods.length > 0),
      pods: pods.map(({ metadata }) => metadata.name),
      expiresAt: null,
      note: `wrong fields of ${place.name}: ${fields}; pods that have them: ${pods.length}`,
    };
  }

  async function remove(context: Context): Promise<void> {
    const { place, index, wrong } = await read(context);
    if (wrong.length === 0) return;
    await patch(
      context,
      place,
      wrong.map((edit) => restoring(context, place, edit, index)),
    );
  }

  return { inject, status, remove };
}

/** A field, and the value that the fault gives it here. */
interface Wrong extends WorkloadField {
  readonly wrong: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const kindOf = ({ workload }: Place): Kind<Workload> =>
  workload.kind === "StatefulSet" ? kinds.statefulSet : kinds.deployment;

function patch({ cluster, namespace }: FaultContext, place: Place, body: unknown): Promise<KubeObject> {
  return cluster.patch(kindOf(place), namespace, place.name, { type: "json", body });
}

/** Whether the scheduler has found no node for a pod. */
const hasStarted = ({ status }: Pod, { container }: Place): boolean =>
  (status?.containerStatuses ?? []).some(
    ({ name, state, restartCount = 0 }) =>
      name === container.name && (state?.waiting === undefined || restartCount > 0),
  );

const isUnplaced = ({ status }: Pod): boolean =>
  (status?.conditions ?? []).some(({ type, status: is }) => type === "PodScheduled" && is === "False");

/** The operation that gives a field its declared value. */
function restoring({ environment }: FaultContext, place: Place, edit: WorkloadField, index: number) {
  const value = declaredValue(environment, place, edit);
  const path = pointerTo(edit, index);
  return value === undefined ? { op: "remove", path } : { op: "add", path, value };
}

/**
 * Scales the old ReplicaSets away as the Deployment's controller does in a rollout, and in its name. To scale the Deployment
 * itself would be a second write, which no other rollout has: a change log would give the fault away.
 */
async function endOldPods(
  context: FaultContext,
  place: Place,
  isNew: (set: Workload) => boolean,
): Promise<void> {
  const { cluster, namespace } = context;
  const owner = (await cluster.get(kinds.deployment, namespace, place.name))?.metadata.uid;
  await waitFor(
    {
      clock: cluster.clock,
      what: `the old pods of ${place.name} to end`,
      timeoutMs: endedWithinMs,
      intervalMs: 500,
      ...(context.signal && { signal: context.signal }),
    },
    async () => {
      const sets = (await cluster.list(kinds.replicaSet, { namespace })).filter(({ metadata }) =>
        metadata.ownerReferences?.some(({ uid }) => uid === owner),
      );
      const old = sets.filter((set) => !isNew(set));
      for (const { metadata, spec } of old) {
        if (spec?.replicas === 0) continue;
        await cluster.patch(kinds.replicaSet, namespace, metadata.name, {
          ...{ type: "merge", body: { spec: { replicas: 0 } } },
          manager: "kube-controller-manager",
        });
      }
      const isGone = old.every(({ spec, status }) => spec?.replicas === 0 && (status?.replicas ?? 0) === 0);
      return sets.some(isNew) && isGone ? true : undefined;
    },
  );
}

/** Whether a pod was made from the wrong value. To lists the cluster adds entries of its own. */
function podHas(spec: Fields | undefined, { of, field, wrong }: Wrong, { container }: Place): boolean {
  const containers = (spec?.["containers"] ?? []) as readonly Fields[];
  const owner = of === "pod" ? spec : containers.find((one) => one["name"] === container.name);
  const value = owner?.[field];
  if (!Array.isArray(wrong) || !Array.isArray(value)) return holds(value, wrong, field);
  return wrong.every((entry) => value.some((one) => holds(one, entry)));
}
