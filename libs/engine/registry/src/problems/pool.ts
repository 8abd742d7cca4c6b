import type { ProblemPool } from "@microremed/catalogue";
import type { Deal } from "./create-bags.ts";
import type { ProblemParts } from "./problem-issues.ts";

/** A pool of a suite, and what its problems are made from. */
export interface Pool {
  readonly pool: ProblemPool;
  /** `pools[<number>]`. */
  readonly field: string;
  readonly parts: ProblemParts;
  readonly deal: Deal;
}
