import type { HandlingOutcome } from "./ack-table.ts";
import { pause, type Timers } from "./timers.ts";

/** What says nothing of a message: NATS or Redis is away, or has no space. */
const awayCodes: ReadonlySet<string> = new Set(["bus-unreachable", "state-unreachable"]);
/** So long one delivery waits for them, ms: whatever does not pass by then may be the message after all. */
const outageMs = 30 * 60_000;
const firstPauseMs = 250;
const longestPauseMs = 15_000;

/**
 * Handles a message again while NATS or Redis is away. Were it given back instead, eight deliveries would be over within
 * two minutes, and it would go to the dead letters for nothing.
 */
export async function waitOutOutage(
  timers: Timers,
  signal: AbortSignal,
  handle: () => Promise<HandlingOutcome>,
): Promise<HandlingOutcome> {
  const until = timers.now() + outageMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const outcome = await handle();
    const isAway = outcome.kind === "threw" && awayCodes.has(outcome.error.code);
    if (!isAway || timers.now() > until) return outcome;
    await pause(timers, pauseMs, signal);
    if (signal.aborted) return { kind: "released" };
  }
}
