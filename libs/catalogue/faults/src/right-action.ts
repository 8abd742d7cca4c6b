import { type Kind, kinds, type Workload } from "@microremed/cluster";
import { type Fault, type FaultContext, type RightAction, targetOf } from "./fault.ts";

/** The right actions that are within an agent's reach. None: a new pod is a repair. */
export function rightActionsIn(
  { rightActions }: Fault,
  { concealment }: FaultContext,
): readonly RightAction[] {
  return rightActions.filter((action) => action !== "remove-cause" || concealment !== "neutral");
}

/** Whether somebody has ended the fault for good. `nodes`: where the pods ran that it hit. */
export async function isRightActionTaken(
  context: FaultContext,
  fault: Fault,
  nodes: readonly string[],
): Promise<boolean> {
  const possible = rightActionsIn(fault, context);
  if (possible.includes("remove-cause") && !(await fault.status(context)).present) return true;
  return possible.includes("leave-node") && (await hasLeft(context, nodes));
}

/** Luck is no repair: the workload must be told where to run, and none of it may run on those nodes any more. */
async function hasLeft(context: FaultContext, nodes: readonly string[]): Promise<boolean> {
  const { cluster, namespace, target, environment } = context;
  const kind: Kind<Workload> =
    targetOf(environment, target)?.workload.kind === "StatefulSet" ? kinds.statefulSet : kinds.deployment;
  const [workload, pods] = await Promise.all([
    cluster.get(kind, namespace, target),
    cluster.list(kinds.pod, { namespace, labelSelector: `app=${target}` }),
  ]);
  const { affinity, nodeName, nodeSelector } = workload?.spec?.template?.spec ?? {};
  const isTold = affinity !== undefined || nodeName !== undefined || nodeSelector !== undefined;
  return isTold && pods.length > 0 && pods.every(({ spec }) => !nodes.includes(spec?.nodeName ?? ""));
}
