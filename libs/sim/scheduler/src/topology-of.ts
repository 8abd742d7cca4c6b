import {
  isFinished,
  isTerminating,
  type KubeObject,
  meetsAffinity,
  resources,
} from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import type { Placements } from "./placements.ts";
import { indifferent, judgeTopology, type TopologyVerdict } from "./pod-topology.ts";
import { priorityOf } from "./preemption.ts";
import { volumeConflict } from "./volume-affinity.ts";

/** What its volumes and pods elsewhere mean for a pod, as if those of `without` were gone. */
export type TopologyOf = (
  pod: KubeObject,
  nodes: readonly KubeObject[],
  without?: ReadonlySet<string>,
) => TopologyVerdict;

export function createTopology(store: Store, placements: Placements): TopologyOf {
  function topologyOf(
    pod: KubeObject,
    nodes: readonly KubeObject[],
    without?: ReadonlySet<string>,
  ): TopologyVerdict {
    const conflict = volumeConflict(store, pod);
    const verdict = amongPods(pod, nodes, without, []);
    const coming = nominatedBefore(pod);
    if (!conflict && coming.length === 0) return verdict;
    /** With those for which room is being made on a node it must fit there, too. */
    const withComing = (node: KubeObject): string | undefined => {
      const here = coming.filter(({ status }) => status.nominatedNodeName === node.metadata.name);
      return here.length === 0 ? undefined : amongPods(pod, nodes, without, here).reason(node);
    };
    return {
      ...verdict,
      reason: (node) => conflict?.(node) ?? verdict.reason(node) ?? withComing(node),
    };
  }

  /** Pods that are no less important and for which others are evicted from a node. */
  function nominatedBefore(pod: KubeObject): readonly KubeObject[] {
    if (!placements.anyPromised()) return [];
    return store
      .list(resources.pods)
      .filter(
        (each) =>
          each.metadata.uid !== pod.metadata.uid &&
          each.status?.nominatedNodeName &&
          !each.spec.nodeName &&
          !isTerminating(each) &&
          priorityOf(each) >= priorityOf(pod),
      );
  }

  function amongPods(
    pod: KubeObject,
    nodes: readonly KubeObject[],
    without: ReadonlySet<string> | undefined,
    coming: readonly KubeObject[],
  ): TopologyVerdict {
    const { affinity, topologySpreadConstraints = [] } = pod.spec;
    const matters =
      placements.anyKeepsAway() ||
      coming.length > 0 ||
      affinity !== undefined ||
      topologySpreadConstraints.length > 0;
    if (!matters) return indifferent;
    return judgeTopology(pod, {
      placed: store
        .list(resources.pods)
        .filter((each) => each.spec.nodeName && !isFinished(each) && !without?.has(each.metadata.uid))
        .concat(
          coming.map((each) => ({
            ...each,
            spec: { ...each.spec, nodeName: each.status.nominatedNodeName },
          })),
        ),
      nodes: new Map(nodes.map((node) => [node.metadata.name, node])),
      namespaceLabels: (name) => store.get(resources.namespaces, undefined, name)?.metadata.labels,
      eligible: (node) => meetsAffinity(pod, node),
    });
  }

  return topologyOf;
}
