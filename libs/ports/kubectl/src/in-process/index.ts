export { createInProcessProber, type OpenAccess } from "./create-in-process-prober.ts";
export { notSimulated } from "./failures.ts";
export { runShell, type ShellEnd, type ShellRun } from "./run-shell.ts";
