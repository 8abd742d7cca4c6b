import { qosClass } from "@microremed/sim-kinds";
import { availableMemory, nodeSpecs } from "@microremed/sim-machine";
import { type KubeObject, resources, type Toleration, tolerates } from "@microremed/sim-objects";
import type { KubeletContext } from "./context.ts";
import { evictionOrder, type MemoryUse } from "./eviction-order.ts";
import type { NodePressures } from "./node-pressures.ts";
import type { PodWorker } from "./pod-worker.ts";

/** The kubelet's evictionHard memory.available, bytes. */
const leastBytes = 100 * 2 ** 20;
/** How often it compares, ms. */
const checkMs = 10_000;

interface Host {
  readonly pressures: NodePressures;
  workersOn(node: string): readonly PodWorker[];
  /** The node's conditions are to be written. */
  report(node: string): void;
}

/** Keeps some memory of each node free: a kubelet that has less ends one pod after the other, and says so of its node. */
export function startEviction(ctx: KubeletContext, { pressures, workersOn, report }: Host): void {
  const { store, loop, events, machine, nodes } = ctx;

  function check(name: string): void {
    const available = availableMemory(machine, name);
    const before = pressures.of(name);
    if (available < leastBytes) pressures.seen(name);
    if (pressures.of(name) !== before) report(name);
    if (available >= leastBytes) return;
    const node = store.get(resources.nodes, undefined, name);
    const source = { component: "kubelet", host: name };
    const message = "Attempting to reclaim memory";
    if (node) events.record(source, node, { type: "Warning", reason: "EvictionThresholdMet", message });
    const running = workersOn(name).flatMap((worker) => {
      const use = worker.memoryUse();
      return use ? [{ worker, use }] : [];
    });
    const [first] = evictionOrder(running.map(({ use }) => use));
    running.find(({ use }) => use === first)?.worker.evict(first ? reasonFor(first, available) : "");
  }

  loop.every(checkMs, "kubelet.eviction", () => {
    for (const { name } of nodeSpecs) if (nodes.of(name) === "running") check(name);
  });
}

const kib = (bytes: number): string => `${Math.floor(bytes / 1024)}Ki`;

/** In the kubelet's words, which end with a space. */
function reasonFor({ containers }: MemoryUse, available: number): string {
  const parts = [
    "The node was low on resource: memory. ",
    `Threshold quantity: ${leastBytes / 2 ** 20}Mi, available: ${kib(available)}. `,
    ...containers
      .filter(({ used, requested }) => used > requested)
      .map(
        ({ name, used, requested }) =>
          `Container ${name} was using ${kib(used)}, request is ${requested === 0 ? 0 : kib(requested)}, has larger consumption of memory. `,
      ),
  ];
  return parts.join("");
}

const pressed = { key: "node.kubernetes.io/memory-pressure", effect: "NoSchedule" };

/** Whether a node that is short of memory refuses a pod: one that requests nothing, unless it tolerates that. */
export const isRefusedUnderPressure = ({ spec }: KubeObject): boolean =>
  qosClass(spec) === "BestEffort" &&
  !((spec.tolerations ?? []) as readonly Toleration[]).some((toleration) => tolerates(pressed, toleration));
