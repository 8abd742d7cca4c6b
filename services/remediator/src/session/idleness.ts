import type { ChatMessage } from "@microremed/contracts";

/** For how long an outside agent has done no work in its arena. Work is a tool that was run; an answer that one was not run is none. */
export interface Idleness {
  /** The turn has come to its next question. */
  asked(messages: readonly ChatMessage[]): void;
  /** The agent has made a call. */
  called(): void;
  /** Whether it has made a call since its last work. */
  hasCalled(): boolean;
  /** Whether it is idle, and has not been asked for some time whether others wait; true once each time. */
  isCheckDue(): boolean;
  untilCheck(): number;
  /** Without any sign of life either, of which the last was at that time. */
  isSilent(signOfLife: number): boolean;
}

/** Between two questions whether others wait, ms. */
const betweenChecksMs = 10_000;

/** `now`: wall clock, ms. */
export function createIdleness({
  now,
  idleSeconds,
}: {
  readonly now: () => number;
  readonly idleSeconds: number;
}): Idleness {
  const idleMs = idleSeconds * 1000;
  let workedAt = now();
  let checkAt = workedAt + idleMs;
  let hasCalled = false;
  return {
    asked: (messages) => {
      const last = messages.at(-1);
      // Without an answer before it, the turn has just begun.
      if (last?.role === "tool" && (last.milliseconds === undefined || last.refused)) return;
      workedAt = now();
      checkAt = workedAt + idleMs;
      hasCalled = false;
    },
    called: () => {
      hasCalled = true;
    },
    hasCalled: () => hasCalled,
    isCheckDue: () => {
      if (now() < checkAt) return false;
      checkAt = now() + Math.min(idleMs, betweenChecksMs);
      return true;
    },
    untilCheck: () => checkAt - now(),
    isSilent: (signOfLife) => now() - Math.max(signOfLife, workedAt) >= idleMs,
  };
}
