import { type KubeObject, podRequests } from "@microremed/sim-objects";
import { testGoldens } from "@microremed/sim-objects/testing";
import { chooseNode } from "./choose-node.ts";
import type { UseForPod } from "./placements.ts";
import { judgeTopology } from "./pod-topology.ts";
import { noNodeFits, noVictims } from "./scheduling-messages.ts";

interface Case {
  readonly pod: KubeObject;
  readonly nodes: readonly KubeObject[];
  /** By node; default: nothing is taken. */
  readonly uses: Readonly<Record<string, UseForPod>>;
  readonly placed?: readonly KubeObject[];
}

const empty: UseForPod = { cpu: 0, memory: 0, pods: 0, siblings: 0 };

testGoldens<Case>(import.meta.url, "choose-node", ({ pod, nodes, uses, placed = [] }) => {
  const topology = judgeTopology(pod, {
    placed,
    nodes: new Map(nodes.map((node) => [node.metadata.name, node])),
    namespaceLabels: () => undefined,
    eligible: () => true,
  });
  const { node, against } = chooseNode({
    pod,
    nodes,
    topology,
    wanted: podRequests(pod),
    useOf: ({ metadata }) => uses[metadata.name] ?? empty,
    tieBreak: () => 0,
  });
  const reasons = [...against.values()];
  const message = `${noNodeFits(nodes.length, reasons)} ${noVictims(nodes.length, reasons)}`;
  return { node, against: Object.fromEntries(against), ...(node === undefined && { message }) };
});
