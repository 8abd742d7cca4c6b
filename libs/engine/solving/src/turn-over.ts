import type { Solution } from "@microremed/catalogue";

/** Ends a delivery of a turn in the middle of an agent's code; it is no error of the harness. */
export class TurnOver extends Error {
  readonly ending: Solution;

  constructor(ending: Solution) {
    super(ending.status);
    this.name = "TurnOver";
    this.ending = ending;
  }
}
