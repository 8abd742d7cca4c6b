import { isRefused, type KubeObject, kinds } from "@microremed/cluster";
import { z } from "zod";
import type { FaultContext } from "./fault.ts";

type Where = Pick<FaultContext, "cluster" | "namespace">;

const Taint = z.looseObject({ key: z.string(), value: z.string().default(""), effect: z.string() });
const Spec = z.looseObject({
  unschedulable: z.boolean().default(false),
  taints: z.array(Taint).default([]),
});

const specOf = (node: KubeObject) => Spec.parse(node.spec ?? {});

/** Other clients write nodes too: so often is a write tried. */
const mostTries = 5;

/**
 * Labels a node with `<key>=<namespace>`; with `tainted` it is also tainted so, with the effect NoSchedule, as teams reserve nodes
 * for themselves. It is the last one that takes any pod; one that is reserved already stays the one. What runs on it goes on
 * running. Throws where no node takes any pod.
 */
export async function reserveNode(
  { cluster, namespace }: Where,
  key: string,
  tainted: boolean,
): Promise<void> {
  const nodes = await cluster.list(kinds.node, {});
  if (nodes.some(({ metadata }) => metadata.labels?.[key] === namespace)) return;
  const free = nodes.findLast((node) => {
    const { unschedulable, taints } = specOf(node);
    return !unschedulable && taints.every(({ effect }) => effect === "PreferNoSchedule");
  });
  if (!free) throw new Error("no node takes pods that tolerate no taint: there must be one to reserve");
  await changeNode(cluster, free.metadata.name, (taints) => ({
    label: { [key]: namespace },
    taints: tainted ? [...taints, { key, value: namespace, effect: "NoSchedule" }] : taints,
  }));
}

/** Takes the label and the taint away from every node that has them. */
export async function releaseNodes({ cluster, namespace }: Where, key: string): Promise<void> {
  for (const { metadata } of await cluster.list(kinds.node, {})) {
    if (metadata.labels?.[key] !== namespace) continue;
    await changeNode(cluster, metadata.name, (taints) => ({
      label: { [key]: null },
      taints: taints.filter((one) => one.key !== key || one.value !== namespace),
    }));
  }
}

type Change = (taints: readonly z.output<typeof Taint>[]) => {
  readonly label: Readonly<Record<string, string | null>>;
  readonly taints: readonly object[];
};

async function changeNode(cluster: Where["cluster"], name: string, change: Change): Promise<void> {
  for (let left = mostTries; ; left--) {
    const node = await cluster.get(kinds.node, undefined, name);
    if (!node) return;
    const { label, taints } = change(specOf(node).taints);
    const { resourceVersion } = node.metadata;
    // Kubernetes leaves out taints that are none.
    const spec = { taints: taints.length > 0 ? taints : null };
    const body = { metadata: { resourceVersion, labels: label }, spec };
    try {
      await cluster.patch(kinds.node, undefined, name, { type: "merge", body });
      return;
    } catch (error) {
      if (left <= 1 || !isRefused(error, 409)) throw error;
    }
  }
}
