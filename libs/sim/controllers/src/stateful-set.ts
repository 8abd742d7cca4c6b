import { matchesSelector } from "@microremed/kube-rules";
import {
  type ControllerContext,
  controllerOf,
  controllerReference,
  createDefaulted,
  createWorkQueue,
} from "@microremed/sim-component-base";
import {
  isTerminating,
  type KubeObject,
  keyOf,
  type NewObject,
  type ResourceRef,
  resources,
  splitKey,
} from "@microremed/sim-objects";
import { createControllerRevisions, templateOf } from "./controller-revisions.ts";
import { refusalOf } from "./pod-control.ts";
import { firstOf, partitionOf, type SetAction, scalePlan, updatePlan } from "./stateful-set-plan.ts";
import { claimsOf, ordinalOf, podOf, revisionOfPod } from "./stateful-set-pods.ts";
import { statefulSetStatus } from "./stateful-set-status.ts";

const source = { component: "statefulset-controller" };

interface Revisions {
  readonly current: KubeObject;
  readonly update: KubeObject;
}

/** Keeps StatefulSets: pods with fixed names and claims, started and replaced in order. */
export function startStatefulSetController(ctx: ControllerContext): void {
  const { store, loop, events, podsByOwner } = ctx;
  const revisions = createControllerRevisions(ctx);
  const queue = createWorkQueue({ ...ctx, name: "statefulset" }, reconcile);
  const say = (set: KubeObject, reason: string, message: string): void =>
    events.record(source, set, { type: "Normal", reason, message });

  function podsOf(set: KubeObject): readonly KubeObject[] {
    return podsByOwner
      .of(set.metadata.uid)
      .filter((pod) => matchesSelector(set.spec.selector, pod.metadata.labels))
      .sort((a, b) => ordinalOf(a) - ordinalOf(b));
  }

  /** Takes on the pods of its names that have no controller, as those that another set of its name has left behind. */
  function adopt(set: KubeObject): void {
    for (const pod of podsByOwner.orphans(set.metadata.namespace)) {
      const { name, labels, ownerReferences = [] } = pod.metadata;
      const isMember = name === `${set.metadata.name}-${ordinalOf(pod)}`;
      if (!isMember || isTerminating(pod) || !matchesSelector(set.spec.selector, labels)) continue;
      const references = [...ownerReferences, controllerReference(set)];
      store.update(resources.pods, { ...pod, metadata: { ...pod.metadata, ownerReferences: references } });
    }
  }

  /** Creates a pod or claim and says so; a refusal is an event of the set before it is thrown on. */
  function admitted(
    set: KubeObject,
    ref: ResourceRef,
    object: NewObject,
    what: { readonly title: string; readonly done: string },
  ): void {
    const title = `create ${what.title} in StatefulSet ${set.metadata.name}`;
    const refused = refusalOf(() => createDefaulted(store, ref, object, { webhooks: ctx.webhooks }));
    if (!refused) {
      say(set, "SuccessfulCreate", `${title} ${what.done}`);
      return;
    }
    const message = `${title} failed error: ${refused.message}`;
    events.record(source, set, { type: "Warning", reason: "FailedCreate", message });
    throw refused;
  }

  function create(set: KubeObject, ordinal: number, { current, update }: Revisions): void {
    const podName = `${set.metadata.name}-${ordinal}`;
    for (const claim of claimsOf(set, ordinal)) {
      const { namespace, name = "" } = claim.metadata;
      if (store.get(resources.persistentVolumeClaims, namespace, name)) continue;
      const title = `Claim ${name} Pod ${podName}`;
      admitted(set, resources.persistentVolumeClaims, claim, { title, done: "success" });
    }
    const revision = ordinal - firstOf(set) < partitionOf(set) ? current : update;
    const pod = podOf(set, templateOf(revision), ordinal, revision.metadata.name);
    admitted(set, resources.pods, pod, { title: `Pod ${podName}`, done: "successful" });
  }

  function remove(set: KubeObject, pod: KubeObject): void {
    store.delete(resources.pods, pod.metadata.namespace, pod.metadata.name, {
      preconditions: { uid: pod.metadata.uid },
    });
    say(
      set,
      "SuccessfulDelete",
      `delete Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} successful`,
    );
  }

  function carryOut(set: KubeObject, actions: readonly SetAction[], both: Revisions): void {
    for (const action of actions) {
      if (action.do === "create") create(set, action.ordinal, both);
      else if (action.do === "remove") remove(set, action.pod);
      else queue.addAfter(keyOf(set), action.ms);
    }
  }

  function reconcile(key: string): void {
    const set = store.get(resources.statefulSets, ...splitKey(key));
    if (!set || isTerminating(set)) return;
    const update = revisions.current(set);
    const current = revisions.get(set, set.status?.currentRevision ?? "") ?? update;
    const both = { current, update };
    adopt(set);
    const pods = podsOf(set);
    const plan = scalePlan(set, pods, loop.now());
    const refused = refusalOf(() => {
      carryOut(set, plan.actions, both);
      if (plan.settled) carryOut(set, updatePlan(set, podsOf(set), update.metadata.name, loop.now()), both);
    });
    const names = { current: current.metadata.name, update: update.metadata.name };
    const status = statefulSetStatus(set, podsOf(set), names, loop.now());
    const { namespace, name } = set.metadata;
    store.mutate(resources.statefulSets, namespace, name, (fresh) => ({ ...fresh, status }), {
      status: true,
    });
    const inUse = new Set([
      update.metadata.name,
      current.metadata.name,
      ...pods.map((pod) => revisionOfPod(pod) ?? ""),
    ]);
    revisions.cleanUp(set, inUse);
    if (refused) throw refused;
  }

  store.watch(resources.statefulSets, (event) => queue.add(keyOf(event.object)));
  store.watch(resources.pods, ({ object }) => {
    const owner = controllerOf(object);
    if (owner?.kind === "StatefulSet") queue.add(`${object.metadata.namespace ?? ""}/${owner.name}`);
  });
}
