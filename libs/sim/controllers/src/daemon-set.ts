import { holdsLabels } from "@microremed/kube-rules";
import { type ControllerContext, controllerOf, createWorkQueue } from "@microremed/sim-component-base";
import { templateGeneration } from "@microremed/sim-kinds";
import {
  isActive,
  isFinished,
  isReady,
  isTerminating,
  type KubeObject,
  keyOf,
  resources,
  splitKey,
  toleratesAll,
} from "@microremed/sim-objects";
import { createControllerRevisions } from "./controller-revisions.ts";
import { createPodControl } from "./pod-control.ts";
import { revisionLabel, revisionOfPod } from "./stateful-set-pods.ts";

/** What befalls nodes and must not keep a daemon away. */
const ownTolerations = [
  ["not-ready", "NoExecute"],
  ["unreachable", "NoExecute"],
  ["disk-pressure", "NoSchedule"],
  ["memory-pressure", "NoSchedule"],
  ["pid-pressure", "NoSchedule"],
  ["unschedulable", "NoSchedule"],
].map(([key, effect]) => ({ key: `node.kubernetes.io/${key}`, operator: "Exists", effect }));

/** Keeps one pod of each DaemonSet on every node that it fits; replaces outdated ones one at a time. */
export function startDaemonSetController(ctx: ControllerContext): void {
  const { store, podsByOwner } = ctx;
  const pods = createPodControl(ctx, "daemonset-controller");
  const revisions = createControllerRevisions(ctx);
  const queue = createWorkQueue({ ...ctx, name: "daemonset" }, reconcile);

  function fits(set: KubeObject, node: KubeObject): boolean {
    const { nodeSelector = {}, tolerations = [] } = set.spec.template.spec;
    return (
      holdsLabels(node.metadata.labels, nodeSelector) &&
      toleratesAll(node, [...tolerations, ...ownTolerations])
    );
  }

  function reconcile(key: string): void {
    const set = store.get(resources.daemonSets, ...splitKey(key));
    if (!set || isTerminating(set)) return;
    const revision = revisions.current(set).metadata.labels?.["controller.kubernetes.io/hash"] ?? "";
    const generation = set.metadata.annotations?.[templateGeneration];
    const own = {
      [revisionLabel]: revision,
      ...(generation !== undefined && { "pod-template-generation": generation }),
    };
    const nodes = store.list(resources.nodes).filter((node) => fits(set, node));
    const owned = podsByOwner.of(set.metadata.uid);
    for (const pod of owned) {
      const surplus = !nodes.some((node) => node.metadata.name === pod.spec.nodeName);
      if (!isTerminating(pod) && (surplus || isFinished(pod))) pods.delete(set, pod);
    }
    for (const node of nodes) {
      if (owned.some((pod) => pod.spec.nodeName === node.metadata.name)) continue;
      pods.create(set, set.spec.template, (pod) => ({
        ...pod,
        metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, ...own } },
        spec: {
          ...set.spec.template.spec,
          tolerations: [...(set.spec.template.spec.tolerations ?? []), ...ownTolerations],
          nodeName: node.metadata.name,
        },
      }));
    }
    const active = podsByOwner.of(set.metadata.uid).filter(isActive);
    const ready = active.filter(isReady);
    const updated = active.filter((pod) => revisionOfPod(pod) === revision);
    const outdated = active.find((pod) => revisionOfPod(pod) !== revision);
    const mayReplace = set.spec.updateStrategy?.type !== "OnDelete" && ready.length === nodes.length;
    if (outdated && mayReplace) pods.delete(set, outdated);
    const status = {
      currentNumberScheduled: active.length,
      desiredNumberScheduled: nodes.length,
      numberMisscheduled: 0,
      numberReady: ready.length,
      observedGeneration: set.metadata.generation,
      updatedNumberScheduled: updated.length,
      ...(ready.length > 0 && { numberAvailable: ready.length }),
      ...(ready.length < nodes.length && { numberUnavailable: nodes.length - ready.length }),
    };
    const { namespace, name } = set.metadata;
    store.mutate(resources.daemonSets, namespace, name, (fresh) => ({ ...fresh, status }), { status: true });
  }

  store.watch(resources.daemonSets, (event) => queue.add(keyOf(event.object)));
  store.watch(resources.nodes, () => {
    for (const set of store.list(resources.daemonSets)) queue.add(keyOf(set));
  });
  store.watch(resources.pods, ({ object }) => {
    const owner = controllerOf(object);
    if (owner?.kind === "DaemonSet") queue.add(`${object.metadata.namespace ?? ""}/${owner.name}`);
  });
}
