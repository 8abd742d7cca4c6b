export { isUp } from "./container-state.ts";
export { createNetwork } from "./create-network.ts";
export { createPhysics, type Physics } from "./create-physics.ts";
export { ioDelayMs } from "./io-delay.ts";
export { exceeds, type Latency, percentile95Of } from "./latency.ts";
export { createLoadProfile } from "./load-profile.ts";
export { createPrograms, type Programs } from "./programs.ts";
export type { RequestKind, Route, Station } from "./topology.ts";
export { hopOf, usable } from "./traffic.ts";
