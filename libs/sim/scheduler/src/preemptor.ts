import { matchesSelector } from "@microremed/kube-rules";
import type { ControllerContext } from "@microremed/sim-component-base";
import {
  isFinished,
  isTerminating,
  type KubeObject,
  podRequests,
  reasonsAgainst,
  resources,
} from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import type { Placements } from "./placements.ts";
import type { TopologyVerdict } from "./pod-topology.ts";
import { choosePreemption, type Preemption, priorityOf } from "./preemption.ts";
import { noNodeFits, noVictims } from "./scheduling-messages.ts";
import { preempted } from "./scheduling-status.ts";

const source = { component: "default-scheduler" };

interface PreemptorContext extends Pick<ControllerContext, "store" | "loop" | "events"> {
  readonly statusStore: Store;
}

/** What making room needs of the scheduler. */
interface Scheduling {
  reject(pod: KubeObject, message: string, nominatedNodeName?: string): void;
  topologyOf(pod: KubeObject, nodes: readonly KubeObject[], without: ReadonlySet<string>): TopologyVerdict;
}

/** Evicts less important pods for one that fits on no node, where that helps; the pod is placed when they are gone. */
export function createPreemptor(
  { store, statusStore, loop, events }: PreemptorContext,
  placements: Placements,
  { reject, topologyOf }: Scheduling,
): (pod: KubeObject, nodes: readonly KubeObject[], against: readonly (readonly string[])[]) => void {
  const violates = (pod: KubeObject): boolean =>
    store
      .list(resources.podDisruptionBudgets, pod.metadata.namespace)
      .some(
        ({ spec, status }) =>
          matchesSelector(spec?.selector, pod.metadata.labels) && (status?.disruptionsAllowed ?? 0) < 1,
      );

  function evictAll(pod: KubeObject, { node, victims }: Preemption): void {
    for (const victim of victims) {
      const { namespace, name, uid } = victim.metadata;
      const status = preempted(victim, source.component, loop.now());
      const marked = statusStore.update(resources.pods, { ...victim, status }, { status: true });
      const message = `Preempted by pod ${pod.metadata.uid} on node ${node}`;
      events.record(source, marked, { type: "Normal", reason: "Preempted", message });
      store.delete(resources.pods, namespace, name, { preconditions: { uid } });
    }
  }

  return (pod, nodes, against) => {
    const why = noNodeFits(nodes.length, against);
    const placed = store.list(resources.pods).filter((each) => each.spec.nodeName && !isFinished(each));
    const nominated: string | undefined = pod.status?.nominatedNodeName;
    if (pod.spec.preemptionPolicy === "Never") {
      reject(pod, `${why} preemption: not eligible due to preemptionPolicy=Never.`);
      return;
    }
    if (nominated !== undefined && placed.some((each) => isLeavingFor(pod, nominated, each))) {
      const leaving = "not eligible due to a terminating pod on the nominated node.";
      reject(pod, `${why} preemption: ${leaving}`, nominated);
      return;
    }
    const wanted = podRequests(pod);
    const fits = (node: KubeObject, without: ReadonlySet<string>): boolean =>
      reasonsAgainst(pod, node, wanted, placements.useOf(node, pod, without)).length === 0 &&
      topologyOf(pod, nodes, without).reason(node) === undefined;
    const preemption = choosePreemption({ pod, nodes, placed, fits, violates });
    if (!preemption) {
      placements.withdraw(pod);
      reject(pod, `${why} ${noVictims(nodes.length, against)}`);
      return;
    }
    placements.promise(pod, preemption.node);
    reject(pod, why, preemption.node);
    evictAll(pod, preemption);
  };
}

/** A less important pod that is on its way out of the node where room is being made. */
function isLeavingFor(pod: KubeObject, node: string, each: KubeObject): boolean {
  return each.spec.nodeName === node && isTerminating(each) && priorityOf(each) < priorityOf(pod);
}
