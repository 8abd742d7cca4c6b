import type { CallUsage, ChatMessage, Exchange, ToolCall } from "@microremed/contracts";
import type { Logger } from "@microremed/core";
import type { CallGate } from "./call-gate.ts";
import type { ModelEndpoint, plainEndpoint } from "./models.ts";

/** A tool offered to a model. `parameters` is a JSON schema of its arguments. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The conversation so far and the tools that the model may call. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolSpec[];
  readonly signal?: AbortSignal;
}

/** A model's answer: text, tool calls or both, with what it cost and what was sent. */
export interface ChatReply {
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  /** What the model thought, where its provider shows it. */
  readonly reasoning?: string;
  readonly usage: CallUsage;
  readonly exchange: Exchange;
}

/** One model behind one endpoint. */
export interface ChatClient {
  /** The model's id as its endpoint knows it. */
  readonly model: string;
  /**
   * One exchange with the model. Failures of the transport or the provider throw an AppError:
   * `model-unreachable`, `model-overloaded`, `model-garbled` (retryable; terminal when the time is used up) or
   * `model-refused` (terminal). A conversation that no longer fits is `model-context-exceeded`.
   */
  complete(request: ChatRequest): Promise<ChatReply>;
}

/** What of an endpoint a client needs; what is left out is as at a `plainEndpoint`. */
type CalledEndpoint = Pick<ModelEndpoint, "baseUrl" | "apiKey" | "model"> &
  Partial<Pick<ModelEndpoint, keyof typeof plainEndpoint>>;

/** The endpoint of a model, and the limits of one call. */
export type ChatClientOptions = CalledEndpoint & {
  /** Wall clock for one `complete`, tries and pauses between them included, waits at the gate not, ms. */
  readonly timeoutMs: number;
  readonly log: Logger;
  /** Default: open. */
  readonly gate?: CallGate;
  /** How often, and for how long, a retryable failure is tried again. */
  readonly retry?: RetryPolicy;
  readonly fetch?: typeof fetch;
};

/** How often a failed call is tried, counting the first time, and the wait in between. */
export interface RetryPolicy {
  readonly tries: number;
  /** Wait after the first try, ms; doubles with each further one. A Retry-After of the provider goes before. */
  readonly firstWaitMs: number;
}
