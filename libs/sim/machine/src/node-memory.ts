import type { Machine } from "./machine.ts";
import { nodeSpecs } from "./node-specs.ts";

/** What the operating system and the kubelet of a node use themselves: cores and bytes. */
export const nodeOwn = { cpu: 0.12, memory: 700 * 2 ** 20 };

/** A node's memory, bytes; undefined: there is no such node. */
export function nodeMemory(name: string): number | undefined {
  const spec = nodeSpecs.find((each) => each.name === name);
  return spec && spec.memoryGi * 2 ** 30;
}

/** What programs may still have of a node's memory, bytes. Nothing in it is given up for others. */
export function availableMemory({ sandboxes }: Machine, node: string): number {
  let used = nodeOwn.memory;
  for (const { nodeName, containers } of sandboxes.values())
    if (nodeName === node) for (const { usage } of containers.values()) used += usage.memory;
  return Math.max(0, (nodeMemory(node) ?? 0) - used);
}
