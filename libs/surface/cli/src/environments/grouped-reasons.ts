/** Groups that are named; the others are counted together. */
const mostNamed = 5;

/**
 * Reasons for which faults have no target, those that are alike together, the most frequent first: `no operator of shop makes it (6),
 * ..., others (17)`. Alike are those that differ in the names of workloads, flags and variables only.
 */
export function groupedReasons(reasons: readonly string[], workloads: readonly string[]): string {
  const groups = [...Map.groupBy(reasons, (one) => generalised(one, workloads))].toSorted(
    ([, a], [, b]) => b.length - a.length,
  );
  const named = groups.filter(([, some]) => some.length > 1).slice(0, mostNamed);
  const left = reasons.length - named.reduce((sum, [, some]) => sum + some.length, 0);
  return [
    ...named.map(([reason, some]) => `${reason} (${some.length})`),
    ...(left > 0 ? [`${named.length > 0 ? "others" : "each another reason"} (${left})`] : []),
  ].join(", ");
}

/** Of several reasons the first, without its number of targets; `it` for a workload, `...` for a flag or a variable. */
function generalised(reason: string, workloads: readonly string[]): string {
  const [first = ""] = reason.split(/ \(\d+ of \d+ targets\)/);
  return first
    .split(/([\w-]+)/)
    .map((word) => (workloads.includes(word) ? "it" : word.replace(identifier, "...")))
    .join("");
}

/** Names as programs have them: `cartFailure`, `KEEP_REQUESTS_KIB`. */
const identifier = /^([a-z]+[A-Z]\w*|[A-Z]+_[A-Z_]+)$/;
