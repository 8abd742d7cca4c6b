export { createExec } from "./exec-in-container.ts";
export { createComputingTracker } from "./track-computing.ts";
