export type { BusUnderTest } from "./bus-under-test.ts";
export { createManualTimers, type ManualTimers } from "./manual-timers.ts";
export { testBus } from "./test-bus.ts";
