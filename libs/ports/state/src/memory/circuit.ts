/** What is known of a provider's trouble with a model; times in ms. */
export interface Circuit {
  /** Until then it asked for a pause. */
  readonly pausedUntil: number;
  /** Until then it is not called because it fails. */
  readonly openUntil: number;
  /** In a row. */
  readonly failures: number;
  /** One caller was let through to try. */
  readonly trying: boolean;
}

export const closedCircuit: Circuit = { pausedUntil: 0, openUntil: 0, failures: 0, trying: false };

/** After so many failures in a row the model is not called for a while. */
const mostFailures = 3;
const longestMs = 60_000;

/** The while doubles with each further failure. */
function openMs(failures: number): number {
  return Math.min(longestMs, 1000 * 2 ** (failures - mostFailures));
}

/** Whether a model may be called now, and what follows: while the provider fails, one caller at a time is let through. */
export function passCircuit(
  circuit: Circuit,
  now: number,
): { readonly circuit: Circuit; readonly ms: number; readonly failing: boolean } {
  const { pausedUntil, openUntil, failures } = circuit;
  if (now < pausedUntil && pausedUntil >= openUntil)
    return { circuit, ms: pausedUntil - now, failing: false };
  if (now < openUntil) return { circuit, ms: openUntil - now, failing: true };
  if (failures < mostFailures) return { circuit, ms: 0, failing: false };
  return {
    circuit: { ...circuit, openUntil: now + openMs(failures), trying: true },
    ms: 0,
    failing: false,
  };
}

/** The provider could not answer. Failures of calls that were under way together count as one. */
export function failCall(circuit: Circuit, pauseMs: number | undefined, now: number): Circuit {
  const counts = circuit.trying || now >= circuit.openUntil;
  const failures = circuit.failures + (counts ? 1 : 0);
  return {
    pausedUntil: pauseMs === undefined ? circuit.pausedUntil : Math.max(circuit.pausedUntil, now + pauseMs),
    openUntil: failures >= mostFailures ? now + openMs(failures) : circuit.openUntil,
    failures,
    trying: counts ? false : circuit.trying,
  };
}

/** It answered: what failed before does not count any more, but a pause that it asked for does. */
export function closeCircuit(circuit: Circuit): Circuit {
  return { ...closedCircuit, pausedUntil: circuit.pausedUntil };
}
