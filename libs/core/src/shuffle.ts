import type { Rng } from "./rng.ts";

/** The items in an order that the stream decides, each order equally likely. */
export function shuffle<T>(items: readonly T[], rng: Rng): T[] {
  const left = [...items];
  const drawn: T[] = [];
  while (left.length > 0) drawn.push(...left.splice(rng.int(left.length), 1));
  return drawn;
}
