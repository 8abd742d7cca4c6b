export { checkProbe } from "./check-probe.ts";
export type { ProbeRun, Prober, TelemetryRun } from "./probe.types.ts";
export { type ShellCommand, shellCommands } from "./shell-commands.ts";
