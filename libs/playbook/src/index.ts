export { type ParsedPlaybook, parsePlaybook } from "./parse-playbook.ts";
export { type PlaybookRun, runPlaybook } from "./run-playbook.ts";
export { type ProbeRun, runProbe } from "./run-probe.ts";
