export { createExec } from "./exec-in-container.ts";
export { createMainScripts } from "./main-script.ts";
export { createComputingTracker } from "./track-computing.ts";
