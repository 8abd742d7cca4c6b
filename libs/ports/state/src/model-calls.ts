/** What a model's provider allows per minute; absent: no limit. */
export interface CallLimits {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

/** Where all replicas keep count of one another's calls of a model, by the state's clock. Times in ms. */
export interface ModelCalls {
  /** Reserves a place for a call of about so many tokens; returns how long to wait for it. */
  reserve(model: string, limits: CallLimits, tokens: number): Promise<number>;
  /** How long the model may not be called, and whether that is because its provider fails or because it said so. */
  blockedFor(model: string): Promise<{ readonly ms: number; readonly failing: boolean }>;
  /** A call brought an answer and used so many tokens more than it reserved (less than none: fewer). */
  settle(model: string, limits: CallLimits, moreTokens: number): Promise<void>;
  /** The provider could not answer; it asked for so long a pause, or for none. */
  fail(model: string, retryAfterMs: number | undefined): Promise<void>;
}
