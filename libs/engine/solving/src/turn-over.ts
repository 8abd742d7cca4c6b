import type { Ending } from "./solution.ts";

/** Ends a delivery of a turn in the middle of an agent's code; it is no error of the harness. */
export class TurnOver extends Error {
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(ending.status);
    this.name = "TurnOver";
    this.ending = ending;
  }
}
