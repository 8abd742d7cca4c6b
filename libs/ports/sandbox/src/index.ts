export { sandboxHome } from "./bubblewrap.ts";
export { openSandbox, type SandboxName, sandboxNames, sandboxTrouble } from "./open-sandbox.ts";
export { type ConfinedRun, runConfined, type Starter } from "./run-confined.ts";
export type { ProcessEnd } from "./run-process.ts";
export type { Sandbox } from "./sandbox.types.ts";
