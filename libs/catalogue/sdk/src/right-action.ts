import { type Kind, kinds, type Workload } from "@microremed/cluster";
import { selectorOf, selectorText } from "./environment/selectors.ts";
import type { FaultContext, FaultStatus } from "./fault.ts";
import { targetOf } from "./target.ts";

/** The facts of the injection, to decide whether the fault was ended for good. */
export interface RightActionContext extends FaultContext {
  /** What the injector says now. */
  readonly status: () => Promise<FaultStatus>;
  /** Where the pods ran that the fault hit; empty unless an action `needsNodes`. */
  readonly nodes: readonly string[];
}

/** What ends a fault for good. */
export interface RightAction {
  readonly name: string;
  /** One sentence for the docs: when it counts as taken. */
  readonly doc: string;
  /** It is about the nodes on which the fault hit. */
  readonly needsNodes?: true;
  /** Whether an agent can do it at all. */
  isWithinReach(context: FaultContext): boolean;
  isTaken(context: RightActionContext): Promise<boolean>;
}

/** The object that causes the fault is deleted; out of reach where it is concealed. */
export const removeCause: RightAction = {
  name: "remove-cause",
  doc: "the chaos object is gone; out of reach where it is concealed",
  isWithinReach: ({ concealment }) => concealment !== "neutral",
  isTaken: async ({ status }) => !(await status()).present,
};

/**
 * No pod of the workload runs any more on the node on which the fault hit it. Luck is no repair: the workload must say
 * where to run.
 */
export const leaveNode: RightAction = {
  name: "leave-node",
  doc: "the workload's template says where to run (affinity, node selector or name) and none of its pods is on the nodes that were hit",
  needsNodes: true,
  isWithinReach: () => true,
  async isTaken({ cluster, namespace, target, environment, nodes }) {
    const place = targetOf(environment, target);
    if (!place) return false;
    const kind: Kind<Workload> = place.workload.kind === "StatefulSet" ? kinds.statefulSet : kinds.deployment;
    const labelSelector = selectorText(selectorOf(place.name, place.workload));
    const [workload, pods] = await Promise.all([
      cluster.get(kind, namespace, place.name),
      cluster.list(kinds.pod, { namespace, labelSelector }),
    ]);
    const { affinity, nodeName, nodeSelector } = workload?.spec?.template?.spec ?? {};
    const saysWhere = affinity !== undefined || nodeName !== undefined || nodeSelector !== undefined;
    return saysWhere && pods.length > 0 && pods.every(({ spec }) => !nodes.includes(spec?.nodeName ?? ""));
  },
};
