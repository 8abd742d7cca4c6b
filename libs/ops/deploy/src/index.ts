export { generatedFiles } from "./generated-files.ts";
export { createMachine } from "./rehearsal/machine/machine.ts";
export { rehearse } from "./rehearsal/rehearse.ts";
export { messagesHandled, rehearseDev } from "./rehearsal/rehearse-dev.ts";
export { devSecrets, prodSecrets, type SecretManifest, splitSecrets } from "./secrets.ts";
export { inspectTarget, type TargetCheck } from "./target/inspect-target.ts";
export { createKubectl } from "./target/kubectl.ts";
export { prepareTarget } from "./target/prepare-target.ts";
