import { EndedProblem, Seat, SessionRecord } from "@microremed/contracts";
import { mostListed, mostSilent, mostWorkers, ownerOf, type Sessions, sessionSeconds } from "../sessions.ts";
import { parseStored } from "../stored.ts";
import type { MemoryLink } from "./memory-link.ts";

/** A session as it is stored: texts, as everything that callers wrote. */
export interface SessionData {
  readonly record: string;
  readonly tokenId: string;
  /** By worker. */
  readonly seats: ReadonlyMap<string, string>;
  /** By worker, the latest one last. */
  readonly ended: ReadonlyMap<string, string>;
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
  /** Undefined: it is closed, or the worker has another problem. */
  const withProblem = (
    { id }: SessionRecord,
    { worker, problem }: Pick<Seat, "worker" | "problem">,
  ): SessionData | undefined => {
    const found = sessions.get(id);
    return seatIn(found, worker)?.problem === problem ? found : undefined;
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
        sessions.set(
          id,
          { record: JSON.stringify(session), tokenId, seats: new Map(), ended: new Map() },
          end(),
        );
        see(session);
        return true;
      }),
    use: (id) =>
      use(() => {
        const found = sessions.get(id);
        const session = recordOf(id);
        if (!found || !session) return undefined;
        see(session);
        return {
          session,
          seats: [...found.seats.keys()].flatMap((worker) => seatIn(found, worker) ?? []),
          ended: [...found.ended].map(([worker, text]) => parseStored(EndedProblem, `ended ${worker}`, text)),
        };
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
    update: (session, seat) =>
      use(() => {
        const found = withProblem(session, seat);
        if (!found) return false;
        const seats = new Map(found.seats).set(seat.worker, JSON.stringify(seat));
        sessions.set(session.id, { ...found, seats });
        return true;
      }),
    leave: (session, ended) =>
      use(() => {
        const found = withProblem(session, ended);
        if (!found) return;
        const without = <T>(map: ReadonlyMap<string, T>) =>
          [...map].filter(([worker]) => worker !== ended.worker);
        const kept = [...without(found.ended), [ended.worker, JSON.stringify(ended)] as const];
        sessions.set(session.id, {
          ...found,
          seats: new Map(without(found.seats)),
          ended: new Map(kept.slice(-mostWorkers)),
        });
      }),
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
    count: (tokenId) => use(() => idsOf(tokenId).length),
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
