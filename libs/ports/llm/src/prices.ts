import type { Tokens } from "@microremed/contracts";

/** US dollars per million tokens. */
export interface Prices {
  readonly input: number;
  /** Of prompt tokens that come from the provider's cache; default: as any other. */
  readonly cachedInput?: number | undefined;
  readonly output: number;
}

/** What a call cost, US dollars; null without prices. Rounded to a billionth, below any bill's last digit. */
export function costOf(tokens: Tokens, prices: Prices | null): number | null {
  if (prices === null) return null;
  const { input, cachedInput = input, output } = prices;
  const fresh = tokens.promptTokens - tokens.cachedTokens;
  const millionths = fresh * input + tokens.cachedTokens * cachedInput + tokens.completionTokens * output;
  return Math.round(millionths * 1000) / 1e9;
}
