import type { ControllerContext } from "@microremed/sim-component-base";
import {
  isFinished,
  isReady,
  isTerminating,
  type KubeObject,
  resources,
  type Taint,
} from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";

/** The period of kube-controller-manager's pod garbage collector, ms. */
const gcMs = 20_000;
/** How long a node must have been missing before its pods go, ms. */
const quarantineMs = 40_000;
const outOfService = "node.kubernetes.io/out-of-service";

/** Removes pods for good that no kubelet will: of nodes that do not exist, or that are known to be out of service. */
export function startPodCollector({ store, loop }: ControllerContext): void {
  /** Since when a node that pods are bound to has been missing. */
  const missing = loop.keep(new Map<string, number>());

  const isOutOfService = (node: KubeObject): boolean =>
    !isReady(node) && ((node.spec?.taints ?? []) as readonly Taint[]).some(({ key }) => key === outOfService);

  function collect(pod: KubeObject, nodeExists: boolean): void {
    const { namespace, name, uid } = pod.metadata;
    if (!isFinished(pod)) {
      const condition = {
        type: "DisruptionTarget",
        status: "True",
        reason: "DeletionByPodGC",
        message: nodeExists ? "PodGC: node is out of service" : "PodGC: node no longer exists",
        lastProbeTime: null,
        lastTransitionTime: rfc3339(loop.now()),
      };
      const conditions = [...(pod.status?.conditions ?? []), condition];
      const status = { ...pod.status, phase: "Failed", conditions };
      store.update(resources.pods, { ...pod, status }, { status: true });
    }
    store.delete(resources.pods, namespace, name, { gracePeriodSeconds: 0, preconditions: { uid } });
  }

  loop.every(gcMs, "podgc", () => {
    const seen = new Set<string>();
    for (const pod of store.list(resources.pods)) {
      const name: string | undefined = pod.spec?.nodeName;
      if (!name) continue;
      const node = store.get(resources.nodes, undefined, name);
      if (node) {
        if (isTerminating(pod) && isOutOfService(node)) collect(pod, true);
        continue;
      }
      seen.add(name);
      const since = missing.get(name) ?? loop.now();
      missing.set(name, since);
      if (loop.now() - since >= quarantineMs) collect(pod, false);
    }
    for (const name of missing.keys()) if (!seen.has(name)) missing.delete(name);
  });
}
