import type { EndedProblem, Seat, SessionRecord } from "@microremed/contracts";

/** A session that is open, and what its workers work on. */
export interface OpenSession {
  readonly session: SessionRecord;
  readonly seats: readonly Seat[];
  /** Of each worker the last problem that is over; of very many workers the latest. */
  readonly ended: readonly EndedProblem[];
}

/** Sessions of outside agents. Each episode is given to one worker of one session. */
export interface Sessions {
  /** False, and nothing is stored: the token has as many open sessions as it may. */
  open(session: SessionRecord, most: number): Promise<boolean>;
  /** The session, which counts as a sign of life. Undefined: it is closed, or never was. */
  use(id: string): Promise<OpenSession | undefined>;
  /**
   * Gives an episode to a worker. False: the worker has one, the session has too many workers or is closed, or the episode is
   * another's.
   */
  take(session: SessionRecord, seat: Seat): Promise<boolean>;
  /** Replaces what is known of a worker's seat. False: it has that problem no longer. */
  update(session: SessionRecord, seat: Seat): Promise<boolean>;
  /** The worker's problem is over, and it may have another episode. Nothing happens if it has that problem no longer. */
  leave(session: SessionRecord, ended: EndedProblem): Promise<void>;
  /** Forgets it; others may have the episodes of its workers. False: it was closed before. */
  close(session: SessionRecord): Promise<boolean>;
  /** How many a token has open. */
  count(tokenId: string): Promise<number>;
  /** The open ones of a token; `undefined`: of all, at most a thousand. */
  list(tokenId: string | undefined): Promise<SessionRecord[]>;
  /** Those without a sign of life for as long as they may be, at most a hundred. */
  silent(): Promise<SessionRecord[]>;
}

/** Workers of one session. */
export const mostWorkers = 64;
/** How many are listed at once. */
export const mostListed = 1_000;
export const mostSilent = 100;
/** How long it is known which episodes are taken, and an open session that is never closed, s. */
export const sessionSeconds = 30 * 24 * 3600;

/** Who has an episode. */
export const ownerOf = ({ id }: Pick<SessionRecord, "id">, { worker }: Pick<Seat, "worker">): string =>
  `${id}/${worker}`;
