import type { ChatMessage, ToolCall } from "@microremed/contracts";
import type { Logger } from "@microremed/core";

/** A tool offered to a model. `parameters` is a JSON schema of its arguments. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolSpec[];
  /** Default `auto`: the model chooses. */
  readonly toolChoice?: "auto" | "required" | "none";
  /** Default 0, equal for every model unless its registry entry says otherwise. */
  readonly temperature?: number;
  /** Most tokens of the answer; default 8192. */
  readonly maxTokens?: number;
  readonly signal?: AbortSignal;
}

export interface CallUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface ChatReply {
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  /** As the provider names it: `stop`, `tool_calls`, `length`, ... ; `unknown` when it says nothing. */
  readonly finishReason: string;
  /** As the provider reported it; estimated (characters / 4) when it reported nothing. */
  readonly usage: CallUsage;
}

/** One model behind one endpoint. */
export interface ChatClient {
  /** The model's id as its endpoint knows it. */
  readonly model: string;
  /**
   * One exchange with the model. Failures of the transport or the provider throw an AppError:
   * `model-unreachable`, `model-overloaded`, `model-garbled` (retryable; terminal when the time is used up) or
   * `model-refused` (terminal).
   */
  complete(request: ChatRequest): Promise<ChatReply>;
}

export interface ChatClientOptions {
  /** Up to and including `/v1`. */
  readonly baseUrl: string;
  /** null: the endpoint wants none. */
  readonly apiKey: string | null;
  readonly model: string;
  /** Wall clock for one `complete`, tries and waits between them included, ms. */
  readonly timeoutMs: number;
  readonly log: Logger;
  readonly headers?: Readonly<Record<string, string>>;
  /** Request fields to add or override; null leaves a field out. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** How often and how patiently a retryable failure is tried again. */
  readonly retry?: RetryPolicy;
  readonly fetch?: typeof fetch;
}

export interface RetryPolicy {
  readonly tries: number;
  /** Wait after the first try, ms; doubles with each further one. A Retry-After of the provider goes before. */
  readonly firstWaitMs: number;
}
