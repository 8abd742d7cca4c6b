import fc from "fast-check";
import type { NewLease } from "../arenas.ts";
import type { State } from "../state.ts";

/** What came of earlier steps, for later ones to go on with. */
export interface History {
  readonly leases: NewLease[];
  readonly messageIds: string[];
}

/** One operation with its arguments. */
export interface Step {
  readonly name: string;
  readonly args: unknown;
  run(state: State, history: History): Promise<unknown>;
}

export function step<A>(
  name: string,
  args: fc.Arbitrary<A>,
  run: (state: State, args: A, history: History) => Promise<unknown>,
): fc.Arbitrary<Step> {
  return args.map((drawn) => ({
    name,
    args: drawn,
    run: (state, history) => run(state, drawn, history),
    [fc.toStringMethod]: () => `${name} ${JSON.stringify(drawn)}`,
  }));
}

export const experimentIds = ["exp-a", "exp-b", "exp-c"];
export const clusters = ["c1", "c2"];
export const models = ["m1", "m2"];
/** Indices of episodes, and of slots. */
export const episodesOfEach = 6;
export const slotsOfEach = 3;

export const experimentId = fc.constantFrom(...experimentIds);
export const cluster = fc.constantFrom(...clusters);
export const slot = fc.nat(slotsOfEach - 1);
/** Which of the leases, or of the messages, there were. */
export const which = fc.nat(30);
export const durationMs = fc.constantFrom(0, 1_000, 60_000, 630_000);

/** The one of this number, counted round and round. */
export function pick<T>(all: readonly T[], number: number): T | undefined {
  return all[number % Math.max(1, all.length)];
}

/** One of the latest leases that were given, whatever became of it; one that never was, if none was. */
export function leaseOf({ leases }: History, number: number): NewLease {
  return (
    pick(leases.slice(-4), number) ?? {
      experimentId: "exp-a",
      episodeId: "exp-a.0000",
      cluster: "c1",
      slot: 0,
      fence: 1,
      waiting: 0,
      unplanned: 0,
    }
  );
}
