export { createPodsOpener, type PodsOpenerOptions } from "./open-pods.ts";
export type { RunnerHost } from "./runner-host.types.ts";
export { runnerPod } from "./runner-pod.ts";
export type { RunnerPool } from "./runner-pool.ts";
export type { RunnerSettings, Toleration } from "./runner-settings.ts";
