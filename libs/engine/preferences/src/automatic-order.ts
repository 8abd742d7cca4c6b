import { isUnclean } from "@microremed/contracts";
import type { Choice, Effect, Pair } from "./pair.ts";

/** Which side the measurements prefer, and by what. */
export interface Order {
  readonly choice: Choice;
  readonly by: string;
}

/**
 * Users' requests differ by chance: fewer than this many, or than this share of the larger number, is no difference. Both are set
 * by us.
 */
const [leastRequests, leastShare] = [5, 0.2];

/** Each says by how much an effect is worse; the first that differs decides. */
const measures: readonly { readonly by: string; readonly worse: (effect: Effect) => number | null }[] = [
  { by: "recovered", worse: ({ recovered }) => (recovered ? 0 : 1) },
  { by: "clean", worse: ({ clean }) => (clean === null ? null : clean ? 0 : 1) },
  { by: "changes that are left", worse: ({ changes }) => changes.filter(isUnclean).length },
];

/**
 * The order by outcome: recovered, clean, fewer changes that leave the system worse, fewer of the users' requests that failed or
 * were slow, fewer pods that were restarted. What was not measured on both sides decides nothing.
 */
export function automaticOrder({ left, right }: Pick<Pair, "left" | "right">): Order {
  for (const { by, worse } of measures) {
    const choice = lower(worse(left.effect), worse(right.effect));
    if (choice !== "tie") return { choice, by };
  }
  const [a, b] = [left.effect.hurt, right.effect.hurt];
  if (a !== null && b !== null && Math.abs(a - b) >= Math.max(leastRequests, leastShare * Math.max(a, b)))
    return { choice: lower(a, b), by: "requests that failed or were slow" };
  const choice = lower(left.effect.podsRestarted, right.effect.podsRestarted);
  return choice === "tie" ? { choice, by: "nothing" } : { choice, by: "pods that were restarted" };
}

function lower(left: number | null, right: number | null): Choice {
  if (left === null || right === null || left === right) return "tie";
  return left < right ? "left" : "right";
}
