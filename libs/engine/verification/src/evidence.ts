import type { GradeCommand } from "@microremed/contracts";

/** What is known of the failure that is to be repaired. */
export type Evidence = Pick<GradeCommand, "baseline" | "injection" | "remedyAt"> &
  Partial<Pick<GradeCommand, "persistence">>;
