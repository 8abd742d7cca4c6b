export { checkPlaybook, type Violation } from "./guard/check-playbook.ts";
export { createPolicyRegistry, type PolicyRegistry } from "./guard/policy-registry.ts";
export { type ParsedPlaybook, parsePlaybook } from "./parse-playbook.ts";
export { type PlaybookRun, runPlaybook } from "./run-playbook.ts";
export { type ProbeRun, runProbe, runTelemetry, type TelemetryRun } from "./run-probe.ts";
export { detectSandbox, weaknessOf } from "./sandbox.ts";
export { startWarmRunner, type WarmRunner } from "./warm/warm-runner.ts";
