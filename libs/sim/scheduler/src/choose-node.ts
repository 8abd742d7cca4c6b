import {
  allocatable,
  type KubeObject,
  preferredNodes,
  type Requests,
  reasonsAgainst,
} from "@microremed/sim-objects";
import type { UseForPod } from "./placements.ts";
import type { TopologyVerdict } from "./pod-topology.ts";

export interface NodeChoice {
  readonly pod: KubeObject;
  /** What its containers request. */
  readonly wanted: Requests;
  readonly nodes: readonly KubeObject[];
  readonly topology: TopologyVerdict;
  useOf(node: KubeObject): UseForPod;
  /** Decides between nodes that are alike: 0..1, asked once for each node that fits. */
  tieBreak(): number;
}

export interface Chosen {
  /** Name of the best node; undefined: the pod fits on none. */
  readonly node: string | undefined;
  /** Why it doesn't fit, by node. */
  readonly against: ReadonlyMap<string, readonly string[]>;
}

/** The fitting node with the most room, as the pod's wishes and its siblings have it. */
export function chooseNode(choice: NodeChoice): Chosen {
  const against = new Map<string, readonly string[]>();
  let best: { readonly node: string; readonly score: number } | undefined;
  for (const node of choice.nodes) {
    const use = choice.useOf(node);
    const reasons = reasonsOf(choice, node, use);
    if (reasons.length > 0) {
      against.set(node.metadata.name, reasons);
      continue;
    }
    const score = scoreOf(choice, node, use);
    if (!best || score > best.score) best = { node: node.metadata.name, score };
  }
  return { node: best?.node, against };
}

function reasonsOf(
  { pod, wanted, topology }: NodeChoice,
  node: KubeObject,
  use: UseForPod,
): readonly string[] {
  const topologyReason = topology.reason(node);
  const own = reasonsAgainst(pod, node, wanted, use);
  return own.length === 0 && topologyReason ? [topologyReason] : own;
}

function scoreOf({ pod, wanted, topology, tieBreak }: NodeChoice, node: KubeObject, use: UseForPod): number {
  const free = (name: "cpu" | "memory"): number => 1 - (use[name] + wanted[name]) / allocatable(node, name);
  const wishes = (preferredNodes(pod, node) + topology.score(node)) / 100;
  const room = (free("cpu") + free("memory")) / 2;
  const nominated = pod.status?.nominatedNodeName === node.metadata.name ? 1000 : 0;
  return nominated + room + wishes - use.siblings + tieBreak() * 1e-3;
}
