import type { VerifyCommand } from "@microremed/contracts";

/** What is known of the failure that is to be repaired. */
export type Evidence = Pick<VerifyCommand, "baseline" | "injection" | "remedyAt"> &
  Partial<Pick<VerifyCommand, "persistence">>;
