export { type CallGate, createCallGate, openGate, type RateLimiter } from "./call-gate.ts";
export { callsInText } from "./calls-in-text.ts";
export { type Cassette, createCassette, type Recording } from "./cassette.ts";
export type {
  ChatClient,
  ChatClientOptions,
  ChatReply,
  ChatRequest,
  RetryPolicy,
  ToolSpec,
} from "./chat.types.ts";
export { estimateTokens } from "./estimate-tokens.ts";
export { type CallSettings, stateSettings, withDeclared } from "./model-settings.ts";
export { createModels, type ModelEndpoint, type Models, type ModelsOptions } from "./models.ts";
export { ModelEntry, ModelLimits, ModelsFile, parseModelsFile } from "./models-file.ts";
export { costOf } from "./prices.ts";
export { isReferenceName, type ReferenceName, referenceNames } from "./reference-names.ts";
