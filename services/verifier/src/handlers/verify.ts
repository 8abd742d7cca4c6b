import type { GradeCommand, Verdict } from "@microremed/contracts";
import type { FaultContext } from "@microremed/faults";
import { findFault } from "@microremed/faults";
import { type Evidence, verifyRecovery } from "@microremed/oracles";

/** Judges by the live system whether the target has recovered. */
export async function verify(
  arena: Omit<FaultContext, "target">,
  command: Pick<GradeCommand, keyof Evidence | "failure" | "target" | "concealment" | "timeoutSeconds">,
  assertHeld?: () => Promise<void>,
): Promise<{ status: "ok"; verdict: Verdict }> {
  const { failure, target, concealment = "none", timeoutSeconds } = command;
  const context = { ...arena, target, concealment };
  const verdict = await verifyRecovery(context, findFault(failure), command, timeoutSeconds, assertHeld);
  return { status: "ok", verdict };
}
