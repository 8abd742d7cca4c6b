import { nodeSpecs } from "@microremed/sim-machine";
import type { EventLoop } from "@microremed/sim-time";

/**
 * `kubelet-stopped`: containers keep running, but are neither managed nor reported. `off`: nothing runs and nothing
 * answers.
 */
export const nodeStates = ["running", "kubelet-stopped", "off"] as const;

/** Whether a machine, and the kubelet on it, runs: one of `nodeStates`. */
export type NodeState = (typeof nodeStates)[number];

/** What state each machine of the cluster is in; changed through the kubelet. */
export interface NodeStates {
  of(node: string): NodeState;
  set(node: string, state: NodeState): void;
}

/** All nodes running. The states are part of the loop's snapshots. */
export function createNodeStates({ keep }: Pick<EventLoop, "keep">): NodeStates {
  const states = keep(new Map<string, NodeState>());
  return {
    of: (node) => states.get(node) ?? "running",
    set: (node, state) => void states.set(node, state),
  };
}

/** What dialling a node's kubelet ends with, in Go's words; undefined: it answers. */
export function whyUnreachable(node: string, state: NodeState): string | undefined {
  if (state === "running") return undefined;
  const ip = nodeSpecs.find(({ name }) => name === node)?.ip;
  const why = state === "off" ? "no route to host" : "connection refused";
  return `dial tcp ${ip}:10250: connect: ${why}`;
}
