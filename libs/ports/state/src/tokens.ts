import type { TokenRecord } from "@microremed/contracts";
import { type AppError, terminal } from "@microremed/core";

/** What came of a request that shows a token. */
export type TokenUse =
  | { readonly status: "ok"; readonly token: TokenRecord }
  /** There is no such token, or it was revoked, or it has expired, or the secret is another one. */
  | { readonly status: "unknown" }
  /** Its requests are used up for now; the next one is let in after so many ms. */
  | { readonly status: "too-many"; readonly token: TokenRecord; readonly waitMs: number };

/** The tokens of the gateway, and how often each was used lately. */
export interface Tokens {
  /** Stores it, or replaces the one of its id. Throws `invalid-request` when there are very many. */
  put(token: TokenRecord): Promise<void>;
  /** All that are not revoked, by their ids. */
  list(): Promise<TokenRecord[]>;
  /** Forgets it; false: there was none. */
  revoke(id: string): Promise<boolean>;
  /** Counts one request. `secretHash`: SHA-256 of the secret that was shown, in hex. */
  use(id: string, secretHash: string): Promise<TokenUse>;
}

/** Tokens that a range may have. */
export const mostTokens = 10_000;
/** Requests that may come at once, as a part of what a minute allows. */
export const burst = 1 / 6;

export function tooManyTokens(): AppError {
  const message = `there are ${mostTokens} tokens, the most that a range may have; revoke some`;
  return terminal("invalid-request", message);
}
