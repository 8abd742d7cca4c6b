export { checkProbe } from "./check-probe.ts";
export { lastValue, readKubectlLine } from "./kubectl-line.ts";
export type { CommandRun, ProbeRun, Prober, TelemetryRun } from "./probe.types.ts";
export { type ShellCommand, shellCommands } from "./shell-commands.ts";
