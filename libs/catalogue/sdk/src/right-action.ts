import { type Kind, kinds, type Workload } from "@microremed/cluster";
import { selectorText } from "./environment/selectors.ts";
import type { FaultContext, FaultStatus } from "./fault.ts";
import { keepsOff } from "./placement.ts";
import { targetOf } from "./target.ts";

/** The facts of the injection, to decide whether the fault was ended for good. */
export interface RightActionContext extends FaultContext {
  /** What the injector says now. */
  readonly status: () => Promise<FaultStatus>;
  /** Where the pods ran that the fault hit; empty unless an action `needsNodes`. */
  readonly nodes: readonly string[];
}

/** The facts of the injection, to decide what an agent can do about the fault. */
export interface ReachContext extends FaultContext {
  /** Nodes without the fault that the workload could be moved to when it was injected; undefined: not counted. */
  readonly otherNodes?: number;
}

/** What ends a fault for good. */
export interface RightAction {
  readonly name: string;
  /** One sentence for the docs: when it counts as taken. */
  readonly doc: string;
  /** It is about the nodes on which the fault hit. */
  readonly needsNodes?: true;
  /** Whether an agent can do it at all. */
  isWithinReach(context: ReachContext): boolean;
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
 * No pod of the workload runs any more on a node on which the fault hit, nor can one come back there: luck is no repair,
 * and a constraint that every node meets says nothing.
 */
export const leaveNode: RightAction = {
  name: "leave-node",
  doc: "the workload's template has a node selector or a required node affinity that keeps it off every node that was hit, and none of its pods is there; out of reach where no other node would take them",
  needsNodes: true,
  isWithinReach: ({ otherNodes }) => otherNodes !== 0,
  async isTaken({ cluster, namespace, target, environment, nodes }) {
    const place = targetOf(environment, target);
    if (!place) return false;
    const kind: Kind<Workload> = place.workload.kind === "StatefulSet" ? kinds.statefulSet : kinds.deployment;
    const labelSelector = selectorText(place.workload.selector);
    const [workload, pods, all] = await Promise.all([
      cluster.get(kind, namespace, place.name),
      cluster.list(kinds.pod, { namespace, labelSelector }),
      cluster.list(kinds.node, {}),
    ]);
    const template = workload?.spec?.template?.spec;
    if (!template || !keepsOff(template, all, nodes)) return false;
    return pods.length > 0 && pods.every(({ spec }) => !nodes.includes(spec?.nodeName ?? ""));
  },
};
