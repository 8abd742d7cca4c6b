export type {
  CallUsage,
  ChatClient,
  ChatClientOptions,
  ChatReply,
  ChatRequest,
  RetryPolicy,
  ToolSpec,
} from "./chat.types.ts";
export { createChatClient } from "./chat-client.ts";
export { estimateTokens } from "./estimate-tokens.ts";
export { createModels, type ModelEndpoint, type Models, type ModelsOptions } from "./models.ts";
export { ModelEntry, ModelLimits, ModelsFile, parseModelsFile } from "./models-file.ts";
export { isReferenceName, type ReferenceName, referenceNames } from "./reference-names.ts";
