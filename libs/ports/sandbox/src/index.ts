export type { ApiRequest, ReviewRequest } from "./api-gate.ts";
export {
  openSandbox,
  type PodsOpener,
  type SandboxName,
  sandboxNames,
  sandboxTrouble,
} from "./open-sandbox.ts";
export { type ConfinedRun, runConfined, type Starter } from "./run-confined.ts";
export type { ProcessEnd } from "./run-process.ts";
export {
  type ConfinedProgram,
  type ProgramPlace,
  type ProgramSurroundings,
  runProgram,
} from "./run-program.ts";
export { memoryOf, type PodsSandbox, type Sandbox } from "./sandbox.types.ts";
export { sandboxHome } from "./sandbox-home.ts";
