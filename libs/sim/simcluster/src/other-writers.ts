import type { Rng } from "@microremed/core";
import type { EventLoop } from "@microremed/sim-time";

/** Writes a second of all others together, and how long such a rate lasts, s: from a quiet cluster's to a busy one's. */
const rates = { least: 5, most: 100 };
const lasts = { least: 5, most: 40 };

/**
 * How many writes others have made since this was last asked. The revisions of a cluster count the writes of everything on
 * it. On one that has nothing else, they would count what the harness writes out of sight, such as a fault: from its
 * revisions, who knows what a healthy system writes could read that something is wrong. Both the rate and the number of writes at a
 * rate vary as much as they are large.
 */
export function createOtherWriters(loop: Pick<EventLoop, "now" | "keep">, rng: Rng): () => number {
  const state = loop.keep({ askedAt: loop.now(), rate: rates.least, until: loop.now() });
  const between = ({ least, most }: typeof rates): number => least * (most / least) ** rng.float();
  return () => {
    const now = loop.now();
    const seconds = (now - state.askedAt) / 1000;
    state.askedAt = now;
    if (seconds <= 0) return 0;
    if (now >= state.until) {
      state.rate = between(rates);
      state.until = now + between(lasts) * 1000;
    }
    return Math.floor(-Math.log(rng.float()) * state.rate * seconds);
  };
}
