import { Seat, SessionRecord } from "@microremed/contracts";
import { mostListed, mostSilent, mostWorkers, ownerOf, type Sessions, sessionSeconds } from "../sessions.ts";
import { parseStored } from "../stored.ts";
import type { MemoryLink } from "./memory-link.ts";

/** A session as it is stored: texts, as everything that callers wrote. */
export interface SessionData {
  readonly record: string;
  readonly tokenId: string;
  /** By worker. */
  readonly seats: ReadonlyMap<string, string>;
}

export function createSessions({ data, use }: MemoryLink): Sessions {
  const { sessions, sessionsLostAt, takenEpisodes } = data;
  const end = (): number => data.now() + sessionSeconds * 1000;
  const see = ({ id, silenceSeconds }: SessionRecord): void =>
    sessionsLostAt.set(id, Math.floor(data.now()) + silenceSeconds * 1000);
  const recordOf = (id: string): SessionRecord | undefined => {
    const found = sessions.get(id);
    return found && parseStored(SessionRecord, `session ${id}`, found.record);
  };
  const seatIn = (found: SessionData | undefined, worker: string): Seat | undefined => {
    const text = found?.seats.get(worker);
    return text === undefined ? undefined : parseStored(Seat, `seat ${worker}`, text);
  };
  const replace = ({ id }: SessionRecord, seat: Seat, next: string | undefined): boolean => {
    const found = sessions.get(id);
    if (!found || seatIn(found, seat.worker)?.problem !== seat.problem) return false;
    const seats = new Map(found.seats);
    if (next === undefined) seats.delete(seat.worker);
    else seats.set(seat.worker, next);
    sessions.set(id, { ...found, seats });
    return true;
  };
  const idsOf = (tokenId: string | undefined): string[] =>
    sessionsLostAt
      .all()
      .map(({ member }) => member)
      .filter((id) => tokenId === undefined || sessions.get(id)?.tokenId === tokenId);
  const keyOf = ({ experimentId }: SessionRecord, { episodeId }: Pick<Seat, "episodeId">): string =>
    `${experimentId}/${episodeId}`;

  return {
    open: (session, most) =>
      use(() => {
        if (idsOf(session.tokenId).length >= most) return false;
        const { id, tokenId } = session;
        sessions.set(id, { record: JSON.stringify(session), tokenId, seats: new Map() }, end());
        see(session);
        return true;
      }),
    use: (id) =>
      use(() => {
        const found = sessions.get(id);
        const session = recordOf(id);
        if (!found || !session) return undefined;
        see(session);
        return { session, seats: [...found.seats.keys()].flatMap((worker) => seatIn(found, worker) ?? []) };
      }),
    take: (session, seat) =>
      use(() => {
        const found = sessions.get(session.id);
        const key = keyOf(session, seat);
        if (!found || found.seats.has(seat.worker) || found.seats.size >= mostWorkers) return false;
        if (takenEpisodes.get(key) !== undefined) return false;
        takenEpisodes.set(key, ownerOf(session, seat), end());
        sessions.set(session.id, {
          ...found,
          seats: new Map(found.seats).set(seat.worker, JSON.stringify(seat)),
        });
        return true;
      }),
    update: (session, seat) => use(() => replace(session, seat, JSON.stringify(seat))),
    leave: (session, seat) => use(() => void replace(session, seat, undefined)),
    close: (session) =>
      use(() => {
        const found = sessions.get(session.id);
        for (const worker of found?.seats.keys() ?? []) {
          const seat = seatIn(found, worker);
          const key = seat && keyOf(session, seat);
          if (seat && key && takenEpisodes.get(key) === ownerOf(session, seat)) takenEpisodes.delete(key);
        }
        sessions.delete(session.id);
        sessionsLostAt.delete(session.id);
        return found !== undefined;
      }),
    list: (tokenId) =>
      use(() =>
        idsOf(tokenId)
          .slice(0, mostListed)
          .flatMap((id) => recordOf(id) ?? []),
      ),
    silent: () =>
      use(() => {
        const lost = sessionsLostAt.all().filter(({ score }) => score < Math.floor(data.now()));
        return lost.slice(0, mostSilent).flatMap(({ member }) => recordOf(member) ?? []);
      }),
  };
}
