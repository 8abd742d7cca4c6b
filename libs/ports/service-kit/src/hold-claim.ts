import { type AppError, retryable } from "@microremed/core";
import type { ClaimKey, Claims } from "@microremed/state";

/** A claim on a command, renewed until it is disposed of. */
export interface HeldClaim extends AsyncDisposable {
  /** Aborted when the claim is lost or `signal` is: whatever runs must end. */
  readonly signal: AbortSignal;
  readonly lost: boolean;
  /** Throws when the claim or the arena's lease is lost; to be awaited right before everything that changes something. */
  assertHeld(): Promise<void>;
  /** The same for what happens many times a second: while the last answer is still valid, nothing is read. */
  assertCurrent(): Promise<void>;
  /** The claim has ended with the result that was stored: there is nothing left to give up. */
  ended(): void;
}

/** A process that was paused or cut off for longer than this loses its work to another one, ms. */
export const claimMs = 15_000;
/** An answer older than this proves nothing: the process may have been paused since, ms. */
const freshMs = 2_000;
/** A claim that was prolonged so recently cannot be another's, whether this process was paused since or not, ms. */
const currentMs = claimMs - 2_000;

/** Keeps a claim that was just taken. Only a clear answer loses it: while Redis is away no other process can take it either. */
export function holdClaim(
  claims: Pick<Claims, "renew" | "release">,
  key: ClaimKey,
  holder: string,
  signal: AbortSignal,
): HeldClaim {
  // Followed by hand: what `AbortSignal.any` makes stays known to a signal that lives as long as the process does.
  const ending = new AbortController();
  const follow = (): void => ending.abort(signal.reason);
  signal.addEventListener("abort", follow);
  if (signal.aborted) follow();
  let lost: AppError | undefined;
  let heldSince = performance.now();
  const renew = async (): Promise<void> => {
    const asked = performance.now();
    if (lost) return;
    if (await claims.renew(key, holder, claimMs)) heldSince = asked;
    else {
      lost = lostIt(key);
      ending.abort(lost);
    }
  };
  const throwIfLost = (): void => {
    if (lost) throw lost;
  };
  let hasEnded = false;
  const timer = setInterval(() => void renew().catch(() => undefined), claimMs / 3);
  const assertHeld = async (): Promise<void> => {
    for (let asked = -freshMs; performance.now() - asked > freshMs; ) {
      asked = performance.now();
      await renew();
      throwIfLost();
    }
  };
  return {
    signal: ending.signal,
    get lost() {
      return lost !== undefined;
    },
    assertHeld,
    assertCurrent: async () => {
      throwIfLost();
      if (performance.now() - heldSince > currentMs) await assertHeld();
    },
    ended: () => {
      hasEnded = true;
      clearInterval(timer);
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      signal.removeEventListener("abort", follow);
      if (!hasEnded) await claims.release(key, holder).catch(() => undefined);
    },
  };
}

function lostIt({ episodeId, stage, arena }: ClaimKey): AppError {
  return retryable(
    "stale-lease",
    `${stage} of ${episodeId} on ${arena.cluster}/${arena.slot} is no longer this process's: it was paused or cut off for more than ${claimMs / 1000} s, or the arena was taken from the episode`,
    { fence: arena.fence },
  );
}
