import type { TokenRecord, TokenScope } from "@microremed/contracts";
import { newToken } from "@microremed/state";

/** What a token is made of besides its random numbers. */
export interface TokenOptions {
  readonly scope: TokenScope;
  readonly name: string;
  readonly days?: number | undefined;
  readonly requestsPerMinute: number;
  readonly mostSessions: number;
  readonly problemsPerHour: number;
  readonly opens: boolean;
}

/** Of a token that says nothing else. */
export const usualLimits = {
  ...{ requestsPerMinute: 1200, mostSessions: 8, problemsPerHour: 10_000 },
  opens: true,
} as const;

const dayMs = 24 * 3600 * 1000;

/** A new token: what is stored, and the text for its holder. */
export function makeToken(
  { days, ...options }: TokenOptions,
  now: number,
): { record: TokenRecord; text: string } {
  const { id, text, secretHash } = newToken();
  const expiresAt = days === undefined ? null : now + days * dayMs;
  return { text, record: { id, ...options, secretHash, createdAt: now, expiresAt } };
}
