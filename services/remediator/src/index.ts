export { remediatorConfig } from "./config.ts";
export { connectModels } from "./connect-models.ts";
export { openModels } from "./open-models.ts";
export { type RemediatorDeps, startRemediator } from "./service.ts";
