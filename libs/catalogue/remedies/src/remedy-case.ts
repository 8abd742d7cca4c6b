import type { Fault, Patient } from "@microremed/catalogue";
import type { Concealment, Persistence } from "@microremed/contracts";

/** One case to which a remedy of the corpus is applied. */
export interface RemedyCase {
  readonly fault: Fault;
  readonly patient: Patient;
  readonly concealment: Concealment;
  readonly persistence: Persistence;
}
