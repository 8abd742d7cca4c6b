import type { State } from "../state.ts";

/** An empty state for one test; disposing it closes all of its connections. */
export interface StateUnderTest extends AsyncDisposable {
  readonly state: State;
  /** A connection to the same state as another process has it. */
  another(): Promise<State>;
  /** Returns when so much time has passed by the state's clock. */
  pass(ms: number): Promise<void>;
}

export type CreateState = () => Promise<StateUnderTest>;
