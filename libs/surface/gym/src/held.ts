import { terminal } from "@microremed/core";
import type { CaseRequest } from "./episode/case-request.ts";
import type { Episode } from "./episode/episode.ts";
import type { Moment, System } from "./episode/open-system.ts";
import type { Result } from "./gym.types.ts";

/** An episode of a gym, with the moment of its system. */
export interface Held {
  readonly id: string;
  readonly acting: CaseRequest["acting"];
  readonly episode: Episode;
  readonly system: System;
  readonly moment: Moment;
  readonly potential: number;
  /** What its agent was given last. */
  readonly result: Result;
}

/** Episodes by id, each replaced as a whole by what it has become. */
export interface Shelf {
  /** Throws `invalid-request` where there is none of this id. */
  get(id: string): Held;
  /** Throws `invalid-request` where there is one of this id. */
  assertFree(id: string): void;
  /** Throws `invalid-request` where a step is under way. */
  assertIdle(id: string): void;
  put(one: Held): Result;
  has(id: string): boolean;
  /** Also ends its step, if one is under way. */
  forget(id: string): void;
  /**
   * Two steps at once would both go on from the same moment: the second one throws `invalid-request`. The work's signal
   * aborts with the given one, and with `unknown-session` when the episode is forgotten.
   */
  alone<T>(id: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  clear(): void;
  readonly size: number;
}

export function createShelf(): Shelf {
  const held = new Map<string, Held>();
  const underWay = new Map<string, AbortController>();
  const assertIdle = (id: string): void => {
    if (underWay.has(id))
      throw terminal(
        "invalid-request",
        `episode ${id} is in the middle of a step: wait for its answer, or fork it to go on in several ways`,
      );
  };
  return {
    get(id) {
      const found = held.get(id);
      if (found) return found;
      throw terminal(
        "invalid-request",
        `there is no episode ${JSON.stringify(id)}: it was closed or has expired; reset begins a new one`,
      );
    },
    assertFree(id) {
      if (held.has(id))
        throw terminal(
          "invalid-request",
          `there is an episode ${id} already: close it, or choose another id`,
        );
    },
    assertIdle,
    put(one) {
      held.set(one.id, one);
      return one.result;
    },
    has: (id) => held.has(id),
    forget(id) {
      held.delete(id);
      underWay
        .get(id)
        ?.abort(terminal("unknown-session", `episode ${id} was closed in the middle of a step`));
    },
    async alone(id, signal, work) {
      assertIdle(id);
      const stop = new AbortController();
      underWay.set(id, stop);
      try {
        return await work(AbortSignal.any([signal, stop.signal]));
      } finally {
        underWay.delete(id);
      }
    },
    clear: () => held.clear(),
    get size() {
      return held.size;
    },
  };
}
