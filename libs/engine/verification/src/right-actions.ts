import type { Fault, FaultContext, RightAction } from "@microremed/catalogue";
import type { InjectionEvidence } from "@microremed/contracts";

type Hit = Pick<InjectionEvidence, "nodes" | "otherNodes">;

/** The right actions that are within an agent's reach. None: a new pod is a repair. */
export function rightActionsIn(
  { rightActions }: Fault,
  context: FaultContext,
  { otherNodes }: Hit,
): readonly RightAction[] {
  const facts = { ...context, ...(otherNodes !== undefined && { otherNodes }) };
  return rightActions.filter((action) => action.isWithinReach(facts));
}

/** Whether a right action has ended the fault for good. `hit`: where it was injected. */
export async function isRightActionTaken(context: FaultContext, fault: Fault, hit: Hit): Promise<boolean> {
  const status = () => fault.status(context);
  for (const action of rightActionsIn(fault, context, hit)) {
    if (await action.isTaken({ ...context, status, nodes: hit.nodes ?? [] })) return true;
  }
  return false;
}
