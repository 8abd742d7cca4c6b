export { generatedFiles } from "./generated-files.ts";
export { rehearse } from "./rehearsal/rehearse.ts";
export { messagesHandled, rehearseDev } from "./rehearsal/rehearse-dev.ts";
export { devSecrets, prodSecrets, type SecretManifest, splitSecrets } from "./secrets.ts";
