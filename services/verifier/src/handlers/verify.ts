import type { Verdict, VerifyCommand } from "@microremed/contracts";
import type { FaultContext } from "@microremed/faults";
import { findFault } from "@microremed/faults";
import { type Evidence, verifyRecovery } from "@microremed/oracles";

/** Judges by the live system whether the target has recovered. */
export async function verify(
  arena: Omit<FaultContext, "target">,
  command: Pick<VerifyCommand, keyof Evidence | "failure" | "target" | "timeoutSeconds">,
): Promise<{ status: "ok"; verdict: Verdict }> {
  const { failure, target, timeoutSeconds } = command;
  const verdict = await verifyRecovery({ ...arena, target }, findFault(failure), command, timeoutSeconds);
  return { status: "ok", verdict };
}
