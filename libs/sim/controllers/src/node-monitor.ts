import type { ControllerContext } from "@microremed/sim-component-base";
import { type KubeObject, resources } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";

const source = { component: "node-controller" };
/** kube-controller-manager's --node-monitor-period, ms. */
const monitorMs = 5000;
/** Its --node-monitor-grace-period of Kubernetes 1.31, ms. */
const graceMs = 40_000;

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastHeartbeatTime?: string | null;
  readonly lastTransitionTime?: string;
}

/** The conditions that the node controller sets when a kubelet is silent. */
const watched = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"];

/** Takes nodes whose kubelet is silent for NotReady: neither its lease nor its status has been renewed in time. */
export function startNodeMonitor({ store, loop, events }: ControllerContext): void {
  const conditionsOf = (node: KubeObject): readonly Condition[] => node.status?.conditions ?? [];

  function heardOf(node: KubeObject): number {
    const lease = store.get(resources.leases, "kube-node-lease", node.metadata.name);
    const beats = conditionsOf(node).map(({ lastHeartbeatTime }) => lastHeartbeatTime);
    const times = [lease?.spec?.renewTime, node.metadata.creationTimestamp, ...beats]
      .map((time) => Date.parse(String(time)))
      .filter((time) => !Number.isNaN(time));
    return Math.max(0, ...times);
  }

  function giveUp(node: KubeObject): void {
    const now = rfc3339(loop.now());
    const wasReady = conditionsOf(node).some(({ type, status }) => type === "Ready" && status === "True");
    const unknown = watched.map((type) => {
      const old = conditionsOf(node).find((condition) => condition.type === type);
      const said = old !== undefined;
      return {
        type,
        status: "Unknown",
        lastHeartbeatTime: old?.lastHeartbeatTime ?? node.metadata.creationTimestamp,
        lastTransitionTime: now,
        reason: said ? "NodeStatusUnknown" : "NodeStatusNeverUpdated",
        message: said ? "Kubelet stopped posting node status." : "Kubelet never posted node status.",
      };
    });
    const others = conditionsOf(node).filter(({ type }) => !watched.includes(type));
    const status = { ...node.status, conditions: [...others, ...unknown] };
    store.update(resources.nodes, { ...node, status }, { status: true });
    if (!wasReady) return;
    const message = `Node ${node.metadata.name} status is now: NodeNotReady`;
    events.record(source, node, { type: "Normal", reason: "NodeNotReady", message });
  }

  loop.every(monitorMs, "node-monitor", () => {
    for (const node of store.list(resources.nodes)) {
      const isKnown = (type: string): boolean =>
        conditionsOf(node).some((condition) => condition.type === type && condition.status === "Unknown");
      if (loop.now() - heardOf(node) > graceMs && !watched.every(isKnown)) giveUp(node);
    }
  });
}
