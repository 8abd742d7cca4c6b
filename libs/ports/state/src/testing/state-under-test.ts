import type { State } from "../state.ts";

/** An empty state for one test, whose clock advances only when the test lets time pass; disposing it closes `state`. */
export interface StateUnderTest extends AsyncDisposable {
  readonly state: State;
  /** A connection to the same state as another process has it. */
  another(): Promise<State>;
  /** Lets so much time pass by the state's clock, ms. */
  pass(ms: number): Promise<void>;
}

/** Gives a test a state of its own. */
export type CreateState = () => Promise<StateUnderTest>;
