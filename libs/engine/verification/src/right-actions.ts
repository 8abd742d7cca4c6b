import type { Fault, FaultContext, RightAction } from "@microremed/catalogue";

/** The right actions that are within an agent's reach. None: a new pod is a repair. */
export function rightActionsIn({ rightActions }: Fault, context: FaultContext): readonly RightAction[] {
  return rightActions.filter((action) => action.isWithinReach(context));
}

/** Whether a right action has ended the fault for good. `nodes`: the nodes of the affected pods. */
export async function isRightActionTaken(
  context: FaultContext,
  fault: Fault,
  nodes: readonly string[],
): Promise<boolean> {
  const status = () => fault.status(context);
  for (const action of rightActionsIn(fault, context)) {
    if (await action.isTaken({ ...context, status, nodes })) return true;
  }
  return false;
}
