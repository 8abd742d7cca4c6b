import type { InferredCall } from "./calls.ts";

/** Of a call that traces have counted. */
export const tracesShow = "traces of the running system";

/**
 * Calls that close a loop are left without a number: with one for each request, requests would never end. What traces have counted does
 * end, and stays. The better a call is known, the sooner it counts as one that others would close a loop with.
 */
export function withoutLoops(calls: readonly InferredCall[]): readonly InferredCall[] {
  const callees = new Map<string, Set<string>>();
  const leadsTo = (from: string, to: string): boolean => {
    const seen = new Set([from]);
    for (const name of seen) {
      if (name === to) return true;
      for (const next of callees.get(name) ?? []) seen.add(next);
    }
    return false;
  };
  return calls.map((one): InferredCall => {
    const { from, call } = one;
    if (call.perRequest === 0) return one;
    if (one.why !== tracesShow && leadsTo(call.to, from))
      return {
        ...one,
        call: { ...call, perRequest: 0 },
        why: `${one.why}; it closes a loop, so write how often`,
      };
    callees.set(from, (callees.get(from) ?? new Set()).add(call.to));
    return one;
  });
}
