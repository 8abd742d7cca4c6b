import { type ControllerContext, controllerOf, createWorkQueue } from "@microremed/sim-component-base";
import { templateGeneration } from "@microremed/sim-kinds";
import {
  isFinished,
  isTerminating,
  type KubeObject,
  keyOf,
  meetsAffinity,
  resources,
  splitKey,
  toleratesAll,
} from "@microremed/sim-objects";
import { createControllerRevisions } from "./controller-revisions.ts";
import { daemonSetUpdate } from "./daemon-set-update.ts";
import { createPodControl, refusalOf } from "./pod-control.ts";
import { revisionLabel } from "./stateful-set-pods.ts";

/** What befalls nodes and must not keep a daemon away. */
const ownTolerations = [
  ["not-ready", "NoExecute"],
  ["unreachable", "NoExecute"],
  ["disk-pressure", "NoSchedule"],
  ["memory-pressure", "NoSchedule"],
  ["pid-pressure", "NoSchedule"],
  ["unschedulable", "NoSchedule"],
].map(([key, effect]) => ({ key: `node.kubernetes.io/${key}`, operator: "Exists", effect }));

/** Keeps one pod of each DaemonSet on every node that it fits; replaces outdated ones. */
export function startDaemonSetController(ctx: ControllerContext): void {
  const { store, podsByOwner } = ctx;
  const pods = createPodControl(ctx, "daemonset-controller");
  const revisions = createControllerRevisions(ctx);
  const queue = createWorkQueue({ ...ctx, name: "daemonset" }, reconcile);

  function fits(set: KubeObject, node: KubeObject): boolean {
    const { template } = set.spec;
    const { tolerations = [] } = template.spec;
    return meetsAffinity(template, node) && toleratesAll(node, [...tolerations, ...ownTolerations]);
  }

  function createOn(nodeName: string, set: KubeObject, labels: Readonly<Record<string, string>>): void {
    const { spec } = set.spec.template;
    const tolerations = [...(spec.tolerations ?? []), ...ownTolerations];
    pods.create(set, set.spec.template, (pod) => ({
      ...pod,
      metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, ...labels } },
      spec: { ...spec, tolerations, nodeName },
    }));
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
    const without = nodes.filter((node) => owned.every((pod) => pod.spec.nodeName !== node.metadata.name));
    const refused = refusalOf(() => {
      for (const { metadata } of without) createOn(metadata.name, set, own);
    });
    const { replace, status, recheckMs } = daemonSetUpdate(
      {
        set,
        nodes: nodes.map(({ metadata }) => metadata.name),
        pods: podsByOwner.of(set.metadata.uid),
        revision,
      },
      ctx.loop.now(),
    );
    for (const pod of replace) pods.delete(set, pod);
    for (const ms of recheckMs) queue.addAfter(key, ms);
    const { namespace, name } = set.metadata;
    store.mutate(resources.daemonSets, namespace, name, (fresh) => ({ ...fresh, status }), { status: true });
    if (refused) throw refused;
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
