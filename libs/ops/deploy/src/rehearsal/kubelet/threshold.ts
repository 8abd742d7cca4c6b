/** What a probe has come to after one more answer. */
export type Decision = "succeeded" | "failed";

/**
 * Counts a probe's answers as the kubelet does: so many in a row decide. Says what has been decided each time that an
 * answer reaches its threshold; undefined: nothing yet.
 */
export function createThreshold({
  successThreshold = 1,
  failureThreshold = 3,
}: {
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
}): (ok: boolean) => Decision | undefined {
  let last: boolean | undefined;
  let inARow = 0;
  return (ok) => {
    inARow = ok === last ? inARow + 1 : 1;
    last = ok;
    if (inARow < (ok ? successThreshold : failureThreshold)) return undefined;
    return ok ? "succeeded" : "failed";
  };
}
