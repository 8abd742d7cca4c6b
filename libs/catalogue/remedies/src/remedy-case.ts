import type { Fault, RemedyContext } from "@microremed/catalogue";
import type { Concealment, Persistence } from "@microremed/contracts";

/** One case to which a remedy of the corpus is applied. */
export interface RemedyCase {
  readonly fault: Fault;
  readonly context: RemedyContext;
  readonly concealment: Concealment;
  readonly persistence: Persistence;
}
