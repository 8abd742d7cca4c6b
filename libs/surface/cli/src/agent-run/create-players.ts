import { setTimeout as sleep } from "node:timers/promises";
import type { RangeClient } from "@microremed/range-client";
import type { GatewayAccess } from "../gateway/find-gateway.ts";
import { type ProgramOptions, playSession, usualGraceMs } from "./play-session.ts";
import { openSession } from "./session-client.ts";

/** A range, and its gateway. */
export interface Reached {
  readonly client: RangeClient;
  readonly access: GatewayAccess;
}

/** Programs that play experiments. */
export interface Players {
  readonly client: RangeClient;
  play(experimentIds: readonly string[]): void;
  /** Ends them, once what their programs print after the last turn is kept; what went wrong, if something did. */
  end(): Promise<unknown>;
}

/** What plays where. */
export interface PlayersOptions extends Reached {
  readonly agent: string;
  /** Problems at once. */
  readonly workers: number;
  readonly programs: ProgramOptions;
  readonly onBegun: (experimentId: string) => void;
  readonly signal: AbortSignal;
}

/** Opens a session for each experiment, whose turns the program plays. */
export function createPlayers(options: PlayersOptions): Players {
  const { client, access, agent, workers, programs, onBegun, signal } = options;
  const [finished, ended] = [new AbortController(), new AbortController()];
  const stop = AbortSignal.any([signal, ended.signal]);
  const playing: Promise<unknown>[] = [];
  /**
   * What goes wrong with the session ends the experiment, and so does an interrupt: no program would work on what is left of it. It is
   * charged to the agent, which could else choose what it is tried on.
   */
  const play = async (experiment: string): Promise<unknown> => {
    try {
      const session = await openSession(access, { agent, experiment }, stop);
      await playSession(session, workers, { ...programs, finished: finished.signal }, stop);
      await session.close();
      return undefined;
    } catch (thrown) {
      if (ended.signal.aborted) return undefined;
      await client.cancel(experiment, "agent");
      return signal.aborted ? undefined : thrown;
    }
  };
  return {
    client,
    play: (experimentIds) => {
      for (const id of experimentIds) {
        onBegun(id);
        playing.push(play(id));
      }
    },
    end: async () => {
      const all = Promise.all(playing);
      // After a last turn a program has the time that it has after any.
      if (!(await settles(all, usualGraceMs + endingMs))) finished.abort();
      if (!(await settles(all, endingMs))) ended.abort();
      const troubles = await all;
      return troubles.find((one) => one !== undefined);
    },
  };
}

/** How long it takes at most until a program has ended, its output is written and the range has been asked what is left, ms. */
const endingMs = 5_000;

async function settles(work: Promise<unknown>, ms: number): Promise<boolean> {
  const waiting = new AbortController();
  const late = sleep(ms, false, { signal: waiting.signal }).catch(() => false);
  const isSettled = await Promise.race([work.then(() => true), late]);
  waiting.abort();
  return isSettled;
}
