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
  /**
   * Charges problems that a token's sessions start. Returns how long it has to wait before it may start one, ms; 0: it may. With
   * 0 problems it only asks; what was started is charged even if it is more than there was room for.
   */
  charge(token: Pick<TokenRecord, "id" | "problemsPerHour">, problems: number): Promise<number>;
}

/** Tokens that a range may have. */
export const mostTokens = 10_000;
/** Requests that may come at once, as a part of what a minute allows. */
export const burst = 1 / 6;

/** In which a token's problems are counted, ms. */
export const chargedMs = 3_600_000;

export function tooManyTokens(): AppError {
  const message = `there are ${mostTokens} tokens, the most that a range may have; revoke some`;
  return terminal("invalid-request", message);
}
