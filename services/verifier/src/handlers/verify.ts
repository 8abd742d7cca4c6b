import type { FaultContext } from "@microremed/catalogue";
import type { GradeCommand, Verdict } from "@microremed/contracts";
import type { Catalogue } from "@microremed/registry";
import { type Evidence, judgedFault, verifyRecovery } from "@microremed/verification";

/** Where a verdict is to be found, and what it is found with. */
export interface VerifiedArena extends Omit<FaultContext, "target"> {
  readonly catalogue: Pick<Catalogue, "faults" | "oracles">;
}

/** Judges by the live system whether the target has recovered. */
export async function verify(
  { catalogue, ...arena }: VerifiedArena,
  command: Pick<GradeCommand, keyof Evidence | "failure" | "target" | "concealment" | "timeoutSeconds">,
  assertHeld?: () => Promise<void>,
): Promise<{ status: "ok"; verdict: Verdict }> {
  const { failure, target, concealment = "none", timeoutSeconds } = command;
  const context = { ...arena, target, concealment };
  const judged = judgedFault(catalogue, failure);
  const verdict = await verifyRecovery(context, judged, command, timeoutSeconds, assertHeld);
  return { status: "ok", verdict };
}
