import { type LoadSpec, meanPause } from "./load-format.ts";
import { type LoadRequest, sharesOf } from "./load-requests.ts";

/** A request of a session. */
export interface SessionStep extends Omit<LoadRequest, "share"> {
  /** Shortest and longest pause after its answer, s. */
  readonly pause: readonly [number, number];
}

/** What one user does from beginning to end. The shares of a load's sessions add up to 1. */
export interface Session {
  /** Of a journey; a request of a mix is a session of its own. */
  readonly name: string;
  readonly share: number;
  readonly steps: readonly SessionStep[];
}

/** Where a user is. */
export interface Visit {
  readonly session: number;
  readonly step: number;
}

const none = [0, 0] as const;

/** The sessions of a load: its journeys, or one for each request of its mix. Requests of an open loop's mix have no pause. */
export function sessionsOf(load: LoadSpec): readonly Session[] {
  const usual = pauseOf(load.thinkSeconds ?? 0);
  if (load.journeys)
    return sharesOf(load.journeys).map(({ name, share, steps }) => ({
      ...{ name, share },
      steps: steps.map(({ thinkSeconds, ...request }) => ({
        ...request,
        pause: thinkSeconds === undefined ? usual : pauseOf(thinkSeconds),
      })),
    }));
  const pause = load.users === undefined ? none : usual;
  const mix = load.requests ?? [{ method: "GET" as const, path: load.path ?? "/", share: 1 }];
  return sharesOf(mix).map(({ share, ...request }) => ({
    ...{ name: `${request.method} ${request.path}`, share },
    steps: [{ ...request, pause }],
  }));
}

const pauseOf = (pause: number | readonly [number, number]): readonly [number, number] =>
  typeof pause === "number" ? [pause, pause] : pause;

/** Where a user begins; `draw` is in [0, 1). */
export function firstVisit(sessions: readonly Session[], draw: number): Visit {
  let left = draw;
  for (const [session, { share }] of sessions.entries()) {
    left -= share;
    if (left < 0) return { session, step: 0 };
  }
  return { session: sessions.length - 1, step: 0 };
}

/** Where a user goes on after an answer; undefined: the session is over. What is not right ends it: later steps need it. */
export function nextVisit(
  sessions: readonly Session[],
  { session, step }: Visit,
  isRight: boolean,
): Visit | undefined {
  const steps = sessions[session]?.steps ?? [];
  return isRight && step + 1 < steps.length ? { session, step: step + 1 } : undefined;
}

/** Seconds that a user thinks after the answer of a step; `draw` is in [0, 1). */
export const pauseAfter = ({ pause: [least, most] }: SessionStep, draw: number): number =>
  least + draw * (most - least);

/** Requests that a session has, when all of its answers are right, on average. */
export const stepsPerSession = (sessions: readonly Session[]): number =>
  sessions.reduce((sum, { share, steps }) => sum + share * steps.length, 0);

/** Seconds of pauses of a session, on average. */
export const pausesPerSession = (sessions: readonly Session[]): number =>
  sessions.reduce(
    (sum, { share, steps }) =>
      sum + share * steps.reduce((all, { pause: [least, most] }) => all + meanPause([least, most]), 0),
    0,
  );
