export type { FindApi } from "./container/shell-deps.types.ts";
export { createExec } from "./exec-in-container.ts";
export { createMainScripts } from "./main-script.ts";
export { createComputingTracker } from "./track-computing.ts";
