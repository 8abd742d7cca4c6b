import type { GradeCommand } from "@microremed/contracts";

/** What is known of the failure that is to be repaired. `arena`: the lease under which it was injected; absent: any. */
export type Evidence = Pick<GradeCommand, "baseline" | "injection" | "remedyAt"> &
  Partial<Pick<GradeCommand, "persistence" | "soakSeconds">> & {
    readonly arena?: { readonly fence: number };
  };
