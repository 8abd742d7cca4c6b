import type { Rng } from "@microremed/core";
import type { EventLoop } from "@microremed/sim-time";

/** Writes a second of all others together, and how long such a rate lasts, s: from a quiet cluster's to a busy one's. */
const rates = { least: 5, most: 100 };
const lasts = { least: 5, most: 40 };
/** Chance that one more write of others is between two, also where no time is. */
const between = 0.5;

/**
 * How many writes others have made since this was last asked. The revisions of a cluster count the writes of everything on
 * it. On one that has nothing else, they would count what the harness writes out of sight, such as a fault: from its
 * revisions, who knows what a healthy system writes could read that something is wrong. Both the rate and the number of writes at a
 * rate vary as much as they are large. A few are between writes of one moment, too.
 */
export function createOtherWriters(loop: Pick<EventLoop, "now" | "keep">, rng: Rng): () => number {
  const state = loop.keep({ askedAt: loop.now(), rate: rates.least, until: loop.now() });
  const drawn = ({ least, most }: typeof rates): number => least * (most / least) ** rng.float();
  const exponential = (): number => -Math.log(1 - rng.float());
  return () => {
    const now = loop.now();
    const seconds = (now - state.askedAt) / 1000;
    state.askedAt = now;
    const atOnce = Math.floor(exponential() / -Math.log(between));
    if (seconds <= 0) return atOnce;
    if (now >= state.until) {
      state.rate = drawn(rates);
      state.until = now + drawn(lasts) * 1000;
    }
    return atOnce + Math.floor(exponential() * state.rate * seconds);
  };
}
