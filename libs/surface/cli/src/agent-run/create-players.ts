import type { RangeClient } from "@microremed/range-client";
import type { GatewayAccess } from "../gateway/find-gateway.ts";
import { type ProgramOptions, playSession } from "./play-session.ts";
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
  /** Ends them; what went wrong, if something did. */
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
  const ended = new AbortController();
  const stop = AbortSignal.any([signal, ended.signal]);
  const playing: Promise<unknown>[] = [];
  /**
   * What goes wrong with the session ends the experiment, and so does an interrupt: no program would work on what is left of it. It is
   * charged to the agent, which could else choose what it is tried on.
   */
  const play = async (experiment: string): Promise<unknown> => {
    try {
      const session = await openSession(access, { agent, experiment }, stop);
      await playSession(session, workers, programs, stop);
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
      ended.abort();
      const troubles = await Promise.all(playing);
      return troubles.find((one) => one !== undefined);
    },
  };
}
