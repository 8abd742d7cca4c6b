export { generatedFiles } from "./generated-files.ts";
export { devSecrets, prodSecrets, type SecretManifest, splitSecrets } from "./secrets.ts";
