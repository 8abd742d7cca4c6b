import { TokenRecord } from "@microremed/contracts";
import { parseStored } from "../stored.ts";
import { burst, chargedMs, mostTokens, type Tokens, tooManyTokens } from "../tokens.ts";
import type { MemoryLink } from "./memory-link.ts";

export function createTokens({ data, use }: MemoryLink): Tokens {
  const { tokens, rates } = data;
  const read = (id: string): TokenRecord | undefined => {
    const text = tokens.get(id);
    return text === undefined ? undefined : parseStored(TokenRecord, `token ${id}`, text);
  };
  return {
    put: (token) =>
      use(() => {
        if (!tokens.has(token.id) && tokens.size >= mostTokens) throw tooManyTokens();
        tokens.set(token.id, JSON.stringify(token));
      }),
    list: () => use(() => [...tokens.keys()].toSorted().flatMap((id) => read(id) ?? [])),
    revoke: (id) => use(() => tokens.delete(id)),
    use: (id, secretHash) =>
      use(() => {
        const token = read(id);
        const now = data.now();
        const isOver = token?.expiresAt != null && token.expiresAt <= now;
        if (token?.secretHash !== secretHash || isOver) return { status: "unknown" };
        const eachMs = 60_000 / token.requestsPerMinute;
        const usedUntil = Math.max(rates.get(id) ?? 0, now) + eachMs;
        const waitMs = usedUntil - now - Math.max(60_000 * burst, eachMs);
        if (waitMs > 0) return { status: "too-many", token, waitMs: Math.ceil(waitMs) };
        rates.set(id, usedUntil, usedUntil);
        return { status: "ok", token };
      }),
    charge: ({ id, problemsPerHour }, problems) =>
      use(() => {
        const now = data.now();
        const key = `${id}:problems`;
        const eachMs = chargedMs / problemsPerHour;
        const used = Math.max(rates.get(key) ?? 0, now);
        const waitMs = Math.max(0, Math.ceil(used + eachMs - now - chargedMs));
        const next = Math.min(used + problems * eachMs, now + 2 * chargedMs);
        if (problems > 0) rates.set(key, next, next);
        return waitMs;
      }),
  };
}
