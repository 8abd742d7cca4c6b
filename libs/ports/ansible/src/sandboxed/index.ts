export { ansibleConfig, ansibleEnvironment, inventory } from "./ansible-files.ts";
export { createSandboxedRunner, runPlaybook, type SandboxedRunnerOptions } from "./run-playbook.ts";
export { startWarmRunner, useWarmRunner, type WarmRunner } from "./warm/warm-runner.ts";
