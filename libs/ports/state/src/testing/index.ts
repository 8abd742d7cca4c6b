export type { CreateState, StateUnderTest } from "./state-under-test.ts";
export { testState } from "./test-state.ts";
