export { checkProbe } from "./check-probe.ts";
export { findTool, type Tool } from "./find-tool.ts";
export { type ParsedPlaybook, parsePlaybook } from "./parse-playbook.ts";
export { type PlaybookRun, runPlaybook } from "./run-playbook.ts";
export { type ProbeRun, runProbe } from "./run-probe.ts";
export { detectSandbox, type Sandbox } from "./sandbox.ts";
